import { text } from '../language/text.js';
import { ButtonLink } from '../parts/button.js';
import { Page } from '../parts/page.js';
import { Empty } from '../parts/states.js';

export function NotFound() {
  return (
    <Page title={text('Not found')}>
      <Empty icon="search" title={text('This screen does not exist')} action={<ButtonLink to="/">{text('Open the overview')}</ButtonLink>}>
        {text('The address may have a typing error or belong to another version of this page.')}
      </Empty>
    </Page>
  );
}
