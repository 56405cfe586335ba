import { useState } from 'react';
import { useLocation } from 'wouter';
import type { WebhookWithSecret } from '../../../../shared/contract/schemas/webhook.js';
import { useDraftForm } from '../../forms/draft-form.js';
import { Form } from '../../forms/form.js';
import { text } from '../../language/text.js';
import { Page } from '../../parts/page.js';
import { useWrite } from '../../session/queries.js';
import { SecretDialog } from './secret-dialog.js';
import { WebhookFields } from './webhook-fields.js';
import { webhookBody, webhookValues } from './webhook-values.js';

export function NewWebhook() {
  const [, navigate] = useLocation();
  const [made, setMade] = useState<WebhookWithSecret | null>(null);
  const create = useWrite('POST /webhooks', { outdates: ['/webhooks'] });
  const form = useDraftForm({
    name: 'webhook/new',
    initial: webhookValues(null),
    submit: async (values) => setMade(await create.mutateAsync({ body: webhookBody(values) })),
  });
  return (
    <Page title={text('Add endpoint')} back={{ to: '/webhooks', label: text('Webhooks') }}>
      <Form form={form} needs="webhooks:write" submit={text('Add endpoint')} onCancel={() => navigate('/webhooks')} bar>
        <WebhookFields />
      </Form>
      {made === null ? null : <SecretDialog secret={made.secret} rotated={false} onClose={() => navigate(`/webhooks/${made.id}`)} />}
    </Page>
  );
}
