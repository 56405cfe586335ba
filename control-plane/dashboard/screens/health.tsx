import type { Health as HealthOfService, ServicePart } from '../../../shared/contract/schemas/health.js';
import { exactCount } from '../format/numbers.js';
import { Time } from '../format/time.js';
import { rich } from '../language/rich.js';
import { type Message, message, text, textOf } from '../language/text.js';
import { StatusBadge } from '../parts/badge.js';
import { Fact } from '../parts/fact.js';
import { Card, Note, Page } from '../parts/page.js';
import { Answered } from '../parts/states.js';
import { useRead } from '../session/queries.js';

/** Link hosts report their state every two seconds. */
const REFRESH_MS = 5_000;

const PARTS: Readonly<Record<ServicePart, { readonly name: Message; readonly lead: Message }>> = {
  redirects: { name: message('Redirects'), lead: message('Your link hosts serve visitors.') },
  configuration: { name: message('Changes'), lead: message('Your changes reach your link hosts within seconds.') },
  clicks: { name: message('Clicks'), lead: message('Clicks are stored, and counted within a minute.') },
  webhooks: { name: message('Webhooks'), lead: message('Deliveries go out to your endpoints.') },
  previews: { name: message('Preview cards'), lead: message('Cards of your items are created and cached.') },
  api: { name: message('API'), lead: message('The API and this page work, and campaigns and links end on time.') },
};

/** Shows which parts of the service work, and the environment's webhook queue. */
export function Health() {
  const health = useRead('GET /health', {}, { refreshMs: REFRESH_MS });
  return (
    <Page
      title={text('Health')}
      lead={text('The state of each part of the service.')}
      badge={health.data === undefined ? undefined : <StatusBadge status={health.data.status} />}
    >
      <Answered read={health} lines={8}>
        {(found) => <Found health={found} isOld={health.isError} />}
      </Answered>
    </Page>
  );
}

function Found({ health, isOld }: { readonly health: HealthOfService; readonly isOld: boolean }) {
  const { parts, webhook_queue: queue } = health;
  return (
    <div className="stack">
      <div role="status">
        {isOld ? (
          <p className="notice notice-danger">
            {rich('The server does not respond. The state shown is from {time}.', { time: <Time at={health.checked_at} /> })}
          </p>
        ) : null}
      </div>
      <div className="columns columns-wide">
        <Card title={text('Service')}>
          <ul className="health-parts">
            {parts.map((part) => (
              <PartItem key={part.part} {...part} />
            ))}
          </ul>
        </Card>
        <Card title={text('Webhook queue')}>
          <dl className="facts">
            <Fact label={text('Deliveries due')}>
              {exactCount(queue.due)}
              {queue.due_since === null ? null : <Since at={queue.due_since} />}
            </Fact>
            <Fact label={text('Deliveries scheduled for later')}>{exactCount(queue.scheduled)}</Fact>
          </dl>
          <Note>{text('Deliveries of this environment, counted up to 1,000 per endpoint.')}</Note>
        </Card>
      </div>
    </div>
  );
}

function PartItem({ part, ok, since }: HealthOfService['parts'][number]) {
  const { name, lead } = PARTS[part];
  return (
    <li className="health-part">
      <span>
        {textOf(name)}
        <br />
        <small className="muted">{textOf(lead)}</small>
      </span>
      <span className="health-state">
        <StatusBadge status={ok ? 'ok' : 'failing'} />
        {since === null ? null : <Since at={since} />}
      </span>
    </li>
  );
}

function Since({ at }: { readonly at: string }) {
  return <span className="muted"> {rich('began {time}', { time: <Time at={at} relative /> })}</span>;
}
