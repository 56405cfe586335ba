import { useState } from 'react';
import type { Webhook } from '../../../../shared/contract/schemas/webhook.js';
import { Time } from '../../format/time.js';
import { rich } from '../../language/rich.js';
import { text } from '../../language/text.js';
import { StatusBadge } from '../../parts/badge.js';
import { Fact, TimeFact } from '../../parts/fact.js';
import { Card, Page } from '../../parts/page.js';
import { FailedScreen, Failure, Loading } from '../../parts/states.js';
import { useRead } from '../../session/queries.js';
import { DeliveryLog } from './delivery-log.js';
import { ENDPOINT_REFRESH_MS, endpointState, failsSince, healthWords, reasonBeyondState, recentAttempts } from './endpoint-state.js';
import { WebhookActions } from './webhook-actions.js';

export function WebhookPage({ id }: { readonly id: string }) {
  const webhook = useRead('GET /webhooks/{webhook}', { params: { webhook: id } }, { refreshMs: ENDPOINT_REFRESH_MS });
  if (webhook.isPending) return <Loading lines={8} />;
  if (webhook.data === undefined)
    return <FailedScreen title={text('Webhooks')} error={webhook.error} onRetry={() => void webhook.refetch()} />;
  return (
    <Page
      title={webhook.data.url}
      lead={webhook.data.description ?? undefined}
      back={{ to: '/webhooks', label: text('Webhooks') }}
      badge={<StatusBadge status={endpointState(webhook.data)} />}
      actions={<WebhookActions webhook={webhook.data} />}
    >
      <div className="stack">
        <Notices webhook={webhook.data} />
        <Health webhook={webhook.data} />
        <Card title={text('Subscribed to')}>
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

const DAY_MS = 86_400_000;
/** How many of the day's newest attempts decide the health: one page of the log. */
const ATTEMPTS_MAX = 100;

/** The state in words, judged by the newest attempts of the last day. */
function Health({ webhook }: { readonly webhook: Webhook }) {
  const [from] = useState(() => new Date(Date.now() - DAY_MS).toISOString());
  const input = { params: { webhook: webhook.id }, query: { from, limit: ATTEMPTS_MAX } };
  const log = useRead('GET /webhooks/{webhook}/deliveries', input, { refreshMs: ENDPOINT_REFRESH_MS });
  if (log.isPending) return null;
  if (log.data === undefined)
    return (
      <Card title={text('Health')}>
        <Failure error={log.error} onRetry={() => void log.refetch()} />
      </Card>
    );
  const attempts = recentAttempts(log.data.data);
  const isMore = log.data.next_cursor !== null;
  const reason = reasonBeyondState(webhook);
  return (
    <Card
      title={text('Health')}
      actions={
        <span className="muted">
          {isMore ? text('The last {attempts} attempts', { attempts: ATTEMPTS_MAX }) : text('The last 24 hours')}
        </span>
      }
    >
      <p>{healthWords(webhook, attempts)}</p>
      <dl className="facts">
        <TimeFact label={text('Disabled since')} at={webhook.disabled_at} />
        {reason === null ? null : (
          <Fact label={text('Reason')}>
            <span lang="en">{reason}</span>
          </Fact>
        )}
        <TimeFact label={text('Failing since')} at={webhook.failing_since} />
        <TimeFact label={text('Next attempt')} at={attempts.nextAttemptAt} />
      </dl>
    </Card>
  );
}

function Notices({ webhook }: { readonly webhook: Webhook }) {
  const failing = failsSince(webhook);
  const { previous_secret_expires_at: overlap } = webhook;
  if (failing === null && overlap === null) return null;
  return (
    <div>
      {failing === null ? null : (
        <p className="notice notice-danger">
          <span>
            {rich('No delivery has succeeded since {time} ({ago}). After three days the endpoint is disabled.', {
              time: <Time at={failing} />,
              ago: <Time at={failing} relative />,
            })}
          </span>
        </p>
      )}
      {overlap === null ? null : (
        <p className="notice notice-info">
          <span>{rich('Deliveries are also signed with the old secret until {time}.', { time: <Time at={overlap} /> })}</span>
        </p>
      )}
    </div>
  );
}
