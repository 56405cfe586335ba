import { text } from '../language/text.js';
import { ButtonLink } from '../parts/button.js';
import { Page } from '../parts/page.js';

export function NotFound() {
  return (
    <Page title={text('This screen does not exist')}>
      <p className="muted">{text('The address may have a typing error or belong to another version of this page.')}</p>
      <ButtonLink to="/">{text('Open the overview')}</ButtonLink>
    </Page>
  );
}
