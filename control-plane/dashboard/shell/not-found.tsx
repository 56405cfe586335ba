import { ButtonLink } from '../parts/button.js';
import { Page } from '../parts/page.js';

export function NotFound() {
  return (
    <Page title="There is no such screen">
      <p className="muted">The address may be mistyped, or of another version of this page.</p>
      <ButtonLink to="/">To the overview</ButtonLink>
    </Page>
  );
}
