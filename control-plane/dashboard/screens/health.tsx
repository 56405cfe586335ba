import type { ReactNode } from 'react';
import type { Health as HealthOfService } from '../../../shared/contract/schemas/health.js';
import { useRead } from '../api/queries.js';
import { bytes, exactCount } from '../format/numbers.js';
import { Time } from '../format/time.js';
import { StatusBadge } from '../parts/badge.js';
import { Card, Page } from '../parts/page.js';
import { Empty, Failure, Loading } from '../parts/states.js';

type Engine = HealthOfService['engines'][number];

/** Engines say how they are every two seconds. */
const REFRESH_MS = 5_000;

/** Processes, how far engines follow the feed, their spools, and the queue of webhooks. */
export function Health() {
  const health = useRead('GET /health', {}, { refreshMs: REFRESH_MS });
  return (
    <Page
      title="Health"
      lead="Of the whole service, as its processes say it every two seconds."
      badge={health.data === undefined ? undefined : <StatusBadge status={health.data.status} />}
    >
      {health.isPending ? (
        <Loading lines={8} />
      ) : health.data === undefined ? (
        <Failure error={health.error} onRetry={() => void health.refetch()} />
      ) : (
        <Found health={health.data} isOld={health.isError} />
      )}
    </Page>
  );
}

function Found({ health, isOld }: { readonly health: HealthOfService; readonly isOld: boolean }) {
  const { feed, webhook_queue: queue } = health;
  return (
    <div className="stack">
      {isOld ? (
        <p className="notice notice-danger" role="status">
          The server does not answer. This is from <Time at={health.checked_at} />.
        </p>
      ) : null}
      <div className="columns columns-wide">
        <Card title="Control plane">
          <Parts parts={health.control_plane.parts} />
        </Card>
        <Card title="Configuration and queue">
          <dl className="facts">
            <Fact name="Changes of configuration">{exactCount(feed.position)}</Fact>
            <Fact name="Not yet published">{exactCount(feed.unnumbered)}</Fact>
            <Fact name="Deliveries due">
              {exactCount(queue.due)}
              {queue.due_since === null ? null : (
                <span className="muted">
                  {' '}
                  since <Time at={queue.due_since} relative />
                </span>
              )}
            </Fact>
            <Fact name="Deliveries for later">{exactCount(queue.scheduled)}</Fact>
          </dl>
        </Card>
      </div>
      {health.engines.length === 0 ? (
        <Empty icon="health" title="No engine is there">
          Nobody answers your link hosts, or no engine has reached the database yet. Start one: links work within seconds.
        </Empty>
      ) : (
        health.engines.map((engine) => <EngineCard key={engine.id} engine={engine} />)
      )}
      <p className="muted">
        <small>
          Why a part fails stands on the admin port of its process, under <code>/health/ready</code>. Queue figures are of this environment
          alone, counted up to 1,000 an endpoint.
        </small>
      </p>
    </div>
  );
}

function EngineCard({ engine }: { readonly engine: Engine }) {
  const { feed_lag: lag, behind_since: since, spool } = engine;
  return (
    <Card title={`Engine ${engine.id.slice(0, 8)}`} actions={<StatusBadge status={engine.status} />}>
      <div className="stack">
        <dl className="facts">
          <Fact name="Last heard of">
            <Time at={engine.heartbeat_at} relative />
          </Fact>
          <Fact name="Behind the configuration">
            {lag === null ? 'not known yet' : lag === 0 ? 'by nothing' : `${exactCount(lag)} ${lag === 1 ? 'change' : 'changes'}`}
            {since === null ? null : (
              <span className="muted">
                {' '}
                since <Time at={since} relative />
              </span>
            )}
          </Fact>
          <Fact name="Clicks in the spool">{spool === null ? 'not known yet' : bytes(spool.pending_bytes)}</Fact>
          <Fact name="Clicks dropped">{spool === null ? 'not known yet' : exactCount(spool.dropped_clicks)}</Fact>
        </dl>
        {engine.processes === null || engine.parts === null ? null : (
          <div className="columns columns-wide">
            <div>
              <h3>Processes</h3>
              <Parts
                parts={engine.processes.map(({ name, ok, restarts }) => ({
                  part: restarts === 0 ? name : `${name}, restarted ${exactCount(restarts)} ${restarts === 1 ? 'time' : 'times'}`,
                  ok,
                }))}
              />
            </div>
            <div>
              <h3>Parts</h3>
              <Parts parts={engine.parts} />
            </div>
          </div>
        )}
      </div>
    </Card>
  );
}

function Parts({ parts }: { readonly parts: readonly { readonly part: string; readonly ok: boolean }[] }) {
  return (
    <ul className="health-parts">
      {parts.map(({ part, ok }) => (
        <li key={part} className="health-part">
          <span>{part}</span>
          <StatusBadge status={ok ? 'ok' : 'failing'} />
        </li>
      ))}
    </ul>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className="fact">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
