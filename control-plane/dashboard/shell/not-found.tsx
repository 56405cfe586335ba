import { ButtonLink } from '../parts/button.js';
import { Page } from '../parts/page.js';

export function NotFound() {
  return (
    <Page title="This screen does not exist">
      <p className="muted">The address may be mistyped, or may belong to another version of this page.</p>
      <ButtonLink to="/">Open the overview</ButtonLink>
    </Page>
  );
}
