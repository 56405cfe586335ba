import type { Webhook } from '../../../../shared/contract/schemas/webhook.js';
import { useDraftForm } from '../../forms/draft-form.js';
import { Form } from '../../forms/form.js';
import { changedMembers } from '../../forms/merge.js';
import { useSavedObject } from '../../forms/saved-object.js';
import { text } from '../../language/text.js';
import { useLeave } from '../../parts/leave.js';
import { Page } from '../../parts/page.js';
import { FailedScreen, Loading } from '../../parts/states.js';
import { toast } from '../../parts/toasts.js';
import { useRead, useWrite } from '../../session/queries.js';
import { WebhookFields } from './webhook-fields.js';
import { webhookBody, webhookValues } from './webhook-values.js';

export function EditWebhook({ id }: { readonly id: string }) {
  const webhook = useRead('GET /webhooks/{webhook}', { params: { webhook: id } });
  if (webhook.isPending) return <Loading lines={8} />;
  if (webhook.data === undefined)
    return <FailedScreen title={text('Webhooks')} error={webhook.error} onRetry={() => void webhook.refetch()} />;
  return <EditForm webhook={webhook.data} />;
}

function EditForm({ webhook }: { readonly webhook: Webhook }) {
  const navigate = useLeave();
  const update = useWrite('PATCH /webhooks/{webhook}', { outdates: ['/webhooks'] });
  const form = useDraftForm({
    name: `webhook/${webhook.id}`,
    ...useSavedObject('GET /webhooks/{webhook}', { params: { webhook: webhook.id } }, webhook, webhookValues),
    submit: async (values, { base, ifMatch }) => {
      const body = changedMembers(webhookBody(base), webhookBody(values));
      await update.mutateAsync({ params: { webhook: webhook.id }, body, ifMatch });
      toast(text('The endpoint was changed.'));
      navigate(`/webhooks/${webhook.id}`);
    },
  });
  return (
    <Page title={text('Edit endpoint')} lead={webhook.url} back={{ to: `/webhooks/${webhook.id}`, label: text('Endpoint') }}>
      <Form form={form} needs="webhooks:write" submit={text('Save changes')} onCancel={() => navigate(`/webhooks/${webhook.id}`)} bar>
        <WebhookFields />
      </Form>
    </Page>
  );
}
