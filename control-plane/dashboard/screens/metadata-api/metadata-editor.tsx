import type { MetadataApi } from '../../../../shared/contract/schemas/metadata-api.js';
import { ApiError, type Connection, call } from '../../api/client.js';
import { useDraftForm } from '../../forms/draft-form.js';
import { Form } from '../../forms/form.js';
import { useSavedObject } from '../../forms/saved-object.js';
import { text } from '../../language/text.js';
import { StatusBadge } from '../../parts/badge.js';
import { Card, Page } from '../../parts/page.js';
import { FailedScreen, Loading } from '../../parts/states.js';
import { toast } from '../../parts/toasts.js';
import { useRead, useWrite } from '../../session/queries.js';
import { useConnection } from '../../session/signed-in.js';
import { LiveTest } from './live-test.js';
import { MetadataFields } from './metadata-fields.js';
import { metadataBody, metadataValues, SECRET_FIELD } from './metadata-values.js';

export function MetadataEditor({ id }: { readonly id: string }) {
  const type = useRead('GET /resource-types/{type}', { params: { type: id } });
  const api = useRead('GET /resource-types/{type}/metadata-api', { params: { type: id } });
  if (type.isPending || api.isPending) return <Loading lines={10} />;
  if (type.data === undefined) return <FailedScreen title={text('Metadata API')} error={type.error} onRetry={() => void type.refetch()} />;
  if (api.data === undefined && api.error.code !== 'not_found')
    return <FailedScreen title={text('Metadata API')} error={api.error} onRetry={() => void api.refetch()} />;
  return (
    <Page
      title={text('Metadata API')}
      lead={text('The source of the cards of shared URLs.')}
      back={{ to: `/resource-types/${id}`, label: type.data.name }}
      badge={api.data === undefined ? undefined : <StatusBadge status={api.data.status} />}
    >
      <Editor typeId={id} api={api.data ?? null} />
    </Page>
  );
}

/** Fields that are not stored in the tab. A constant, because it is compared by identity. */
const UNKEPT = [SECRET_FIELD];

async function isThere(connection: Connection, params: { readonly type: string }): Promise<boolean> {
  try {
    await call(connection, 'GET /resource-types/{type}/metadata-api', { params });
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return false;
    throw error;
  }
}

function Editor({ typeId, api }: { readonly typeId: string; readonly api: MetadataApi | null }) {
  const { connection } = useConnection();
  const params = { type: typeId };
  const put = useWrite('PUT /resource-types/{type}/metadata-api', { outdates: ['/resource-types/{type}/metadata-api'] });
  const form = useDraftForm({
    name: `metadata-api/${typeId}`,
    ...useSavedObject('GET /resource-types/{type}/metadata-api', { params }, api, metadataValues),
    unkept: UNKEPT,
    submit: async (values, { ifMatch }) => {
      // A PUT without a tag replaces whatever is there, but someone else may have saved the first configuration in the meantime.
      if (ifMatch === undefined && (await isThere(connection, params))) throw new ApiError(412, 'precondition_failed', '');
      await put.mutateAsync({ params, body: metadataBody(values), ifMatch });
      toast(text('Saved. Previews use the new configuration from now on.'));
    },
  });
  return (
    <div className="stack">
      <Card title={text('Live test')}>
        {api === null ? (
          <p className="muted">{text('Save a configuration below, then test it with the id of an existing item.')}</p>
        ) : (
          <LiveTest typeId={typeId} api={api} unsaved={form.changed} />
        )}
      </Card>
      <Form form={form} submit={text('Save configuration')} onCancel={form.changed ? form.discard : undefined} bar>
        <MetadataFields api={api} />
      </Form>
    </div>
  );
}
