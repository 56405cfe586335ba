import { useDraftForm } from '../../forms/draft-form.js';
import { text } from '../../language/text.js';
import { useLeave } from '../../parts/leave.js';
import { Page } from '../../parts/page.js';
import { toast } from '../../parts/toasts.js';
import { useWrite } from '../../session/queries.js';
import { useSignedIn } from '../../session/signed-in.js';
import { LinkBuilder } from './link-builder.js';
import { linkBody, linkValues } from './link-values.js';
import { UNKEPT_FIELDS } from './rules-fields.js';

export function NewLink() {
  const navigate = useLeave();
  const { timeZone } = useSignedIn();
  const create = useWrite('POST /links', { outdates: ['/links', '/tags'] });
  const form = useDraftForm({
    unkept: UNKEPT_FIELDS,
    name: 'link/new',
    initial: linkValues(null, timeZone),
    submit: async (values) => {
      const path = String(values['/path']).trim();
      const link = await create.mutateAsync({ body: { ...linkBody(values, timeZone), ...(path === '' ? {} : { path }) } });
      toast(text('{url} was created.', { url: link.url }));
      navigate(`/links/${link.id}`);
    },
  });
  return (
    <Page title={text('New link')} back={{ to: '/links', label: text('Links') }}>
      <LinkBuilder form={form} submit={text('Create link')} onCancel={() => navigate('/links')} url={null} />
    </Page>
  );
}
