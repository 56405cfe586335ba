import type { Link } from '../../../../shared/contract/schemas/link.js';
import { useDraftForm } from '../../forms/draft-form.js';
import { changedMembers } from '../../forms/merge.js';
import { useSavedObject } from '../../forms/saved-object.js';
import { text } from '../../language/text.js';
import { useLeave } from '../../parts/leave.js';
import { Page } from '../../parts/page.js';
import { FailedScreen, Loading } from '../../parts/states.js';
import { toast } from '../../parts/toasts.js';
import { useRead, useWrite } from '../../session/queries.js';
import { useSignedIn } from '../../session/signed-in.js';
import { LinkBuilder } from './link-builder.js';
import { linkBody, linkValues } from './link-values.js';
import { UNKEPT_FIELDS } from './rules-fields.js';

export function EditLink({ id }: { readonly id: string }) {
  const link = useRead('GET /links/{link}', { params: { link: id } });
  if (link.isPending) return <Loading lines={8} />;
  if (link.data === undefined) return <FailedScreen title={text('Links')} error={link.error} onRetry={() => void link.refetch()} />;
  return <EditForm link={link.data} />;
}

function EditForm({ link }: { readonly link: Link }) {
  const navigate = useLeave();
  const { timeZone } = useSignedIn();
  const update = useWrite('PATCH /links/{link}', { outdates: ['/links', '/tags'] });
  const form = useDraftForm({
    unkept: UNKEPT_FIELDS,
    name: `link/${link.id}`,
    ...useSavedObject('GET /links/{link}', { params: { link: link.id } }, link, (saved) => linkValues(saved, timeZone)),
    submit: async (values, { base, ifMatch }) => {
      const body = changedMembers(linkBody(base, timeZone), linkBody(values, timeZone));
      await update.mutateAsync({ params: { link: link.id }, body, ifMatch });
      toast(text('The link was changed. The change applies to visitors at once.'));
      navigate(`/links/${link.id}`);
    },
  });
  return (
    <Page title={text('Edit {path}', { path: link.path })} back={{ to: `/links/${link.id}`, label: link.path }}>
      <LinkBuilder form={form} submit={text('Save changes')} onCancel={() => navigate(`/links/${link.id}`)} url={link.url} />
    </Page>
  );
}
