import autocannon from 'autocannon';
import type pg from 'pg';
import { generatePath } from '../../control-plane/links/generated-path.js';
import { linkOfRow } from '../../control-plane/links/link-row.js';
import { newLinkRow } from '../../control-plane/links/rules.js';
import { insertLink } from '../../control-plane/links/sql.js';
import { withClient } from '../../deploy/local/with-client.js';
import { idAt } from '../../shared/base/ids.js';
import { linkCreatedEvent } from '../../shared/webhooks/body.js';
import type { CreationJob, CreationResult } from './creation-job.js';
import { percentile } from './statistics.js';

/** What every client asks for: the shortest link that leads somewhere. */
const BODY = { deep_link_path: '/p/1', destinations: { web: 'https://example.com/a' } };

async function overRest(job: CreationJob): Promise<CreationResult> {
  const result = await autocannon({
    url: `${job.url}/links`,
    method: 'POST',
    connections: job.clients,
    duration: job.seconds,
    headers: { authorization: `Bearer ${job.secretKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(BODY),
  });
  return {
    created: result['2xx'],
    failures: result.non2xx + result.errors + result.timeouts,
    seconds: result.duration,
    p50_ms: result.latency.p50,
    p99_ms: result.latency.p99,
  };
}

const LINK_HOST = 'go.bench.example';

async function createBySql(connection: pg.Client, environmentId: string): Promise<void> {
  const nowMs = Date.now();
  const row = newLinkRow(BODY, { id: idAt('link', nowMs), path: generatePath(), nowMs });
  const view = { environment: 'live', linkHost: LINK_HOST, form: { scheme: 'https', port: 0 }, nowMs } as const;
  const event = linkCreatedEvent({ environment_id: environmentId, environment: 'live', at_ms: nowMs }, linkOfRow(row, view));
  if (!(await insertLink(connection, environmentId, LINK_HOST, row, event))) throw new Error('a generated path is taken');
}

/** The same statement as that of the handler, from as many connections, one after the other on each. */
async function overSql(job: CreationJob): Promise<CreationResult> {
  const started = performance.now();
  const end = started + job.seconds * 1000;
  const latencies: number[] = [];
  const client = () =>
    withClient(job.url, async (connection) => {
      while (performance.now() < end) {
        const before = performance.now();
        await createBySql(connection, job.environmentId);
        latencies.push(performance.now() - before);
      }
    });
  await Promise.all(Array.from({ length: job.clients }, client));
  latencies.sort((a, b) => a - b);
  return {
    created: latencies.length,
    failures: 0,
    seconds: (performance.now() - started) / 1000,
    p50_ms: percentile(latencies, 0.5),
    p99_ms: percentile(latencies, 0.99),
  };
}

process.once('message', async (job: CreationJob) => {
  process.send?.(await (job.over === 'rest' ? overRest(job) : overSql(job)));
});
