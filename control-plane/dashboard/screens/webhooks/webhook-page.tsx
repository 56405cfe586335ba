import type { Webhook } from '../../../../shared/contract/schemas/webhook.js';
import { Time } from '../../format/time.js';
import { StatusBadge } from '../../parts/badge.js';
import { Card, Page } from '../../parts/page.js';
import { Failure, Loading } from '../../parts/states.js';
import { useRead } from '../../session/queries.js';
import { DeliveryLog } from './delivery-log.js';
import { endpointState } from './endpoint-state.js';
import { WebhookActions } from './webhook-actions.js';

export function WebhookPage({ id }: { readonly id: string }) {
  const webhook = useRead('GET /webhooks/{webhook}', { params: { webhook: id } }, { refreshMs: 15_000 });
  if (webhook.isPending) return <Loading lines={8} />;
  if (webhook.data === undefined) return <Failure error={webhook.error} onRetry={() => void webhook.refetch()} />;
  return (
    <Page
      title={webhook.data.url}
      lead={webhook.data.description ?? undefined}
      back={{ to: '/webhooks', label: 'Webhooks' }}
      badge={<StatusBadge status={endpointState(webhook.data)} />}
      needs="webhooks:write"
      actions={<WebhookActions webhook={webhook.data} />}
    >
      <div className="stack">
        <Notices webhook={webhook.data} />
        <Card title="Subscribed to">
          <ul className="chips">
            {webhook.data.events.map((type) => (
              <li key={type} className="chip">
                <code>{type}</code>
              </li>
            ))}
          </ul>
        </Card>
        <DeliveryLog webhookId={id} />
      </div>
    </Page>
  );
}

function Notices({ webhook }: { readonly webhook: Webhook }) {
  const { status, disabled_reason: reason, failing_since: failing, previous_secret_expires_at: overlap } = webhook;
  if (status === 'active' && failing === null && overlap === null) return null;
  return (
    <div>
      {status === 'active' || reason === null ? null : <p className="notice notice-warn">It is not sent anything: {reason}</p>}
      {failing === null ? null : (
        <p className="notice notice-danger">
          <span>
            No delivery has succeeded since <Time at={failing} /> (<Time at={failing} relative />
            ). After three days the endpoint is disabled.
          </span>
        </p>
      )}
      {overlap === null ? null : (
        <p className="notice notice-info">
          <span>
            Deliveries are also signed with the old secret until <Time at={overlap} />.
          </span>
        </p>
      )}
    </div>
  );
}
