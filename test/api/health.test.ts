import { randomUUID } from 'node:crypto';
import t from 'tap';
import type { EngineReport } from '../../shared/base/engine-report.js';
import { send } from './api-client.js';
import { startApiServer } from './api-server.js';

const api = await startApiServer(t);
const rows = async (text: string, values: readonly unknown[] = []) => (await api.database.query<{ last: number }>({ text, values })).rows;
const health = async (key: string = api.liveKey) => (await send(api.baseUrl, 'GET /health', { key })).json;

const WELL: EngineReport = {
  processes: [{ name: 'background', ok: true, restarts: 0 }],
  parts: [{ part: 'background/clicks', ok: true }],
  spool: { pending_bytes: 0, dropped_clicks: 0 },
};

interface EngineFacts {
  readonly heartbeatAgo?: string;
  readonly behind?: number;
  readonly report?: EngineReport | null;
  readonly left?: boolean;
  readonly otherFeed?: boolean;
}

/** The only engine there is, as it would have written its row. */
async function anEngine({ heartbeatAgo = '1s', behind = 0, report = WELL, left = false, otherFeed = false }: EngineFacts = {}) {
  await rows('DELETE FROM engines');
  await rows(
    `INSERT INTO engines (id, session, members, heartbeat_at, left_at, applied_epoch, applied_position, report)
     SELECT $1, $1, ARRAY[$1::uuid], now() - $2::interval, CASE WHEN $3 THEN now() END,
       CASE WHEN $6 THEN 'another' ELSE state.epoch || ' 1' END, state.last_position - $4, $5
     FROM config_feed_state AS state`,
    [randomUUID(), heartbeatAgo, left, behind, report === null ? null : JSON.stringify(report), otherFeed],
  );
}

t.test('a service without an engine is degraded', async (t) => {
  const body = await health();
  t.match(body, { status: 'degraded', engines: [], control_plane: { parts: [{ part: 'database', ok: true }] } });
  t.same(body.webhook_queue, { due: 0, scheduled: 0, due_since: null });
});

t.test('an engine is told by what it wrote, and by when', async (t) => {
  await anEngine();
  t.match(await health(), { status: 'ok', engines: [{ status: 'ok', feed_lag: 0, behind_since: null, ...WELL }] });
  await anEngine({ report: null });
  t.match(await health(), { status: 'ok', engines: [{ status: 'ok', processes: null, parts: null, spool: null }] });
  await anEngine({ report: { ...WELL, parts: [{ part: 'background/clicks', ok: false }] } });
  t.match(await health(), { status: 'degraded', engines: [{ status: 'failing' }] });
  await anEngine({ report: { ...WELL, processes: [{ name: 'redirect-0', ok: false, restarts: 4 }] } });
  t.match(await health(), { status: 'degraded', engines: [{ status: 'failing', processes: [{ restarts: 4 }] }] });
  await anEngine({ heartbeatAgo: '11s' });
  t.match(await health(), { status: 'degraded', engines: [{ status: 'silent' }] });
  await anEngine({ heartbeatAgo: '11s', left: true });
  t.match(await health(), { status: 'degraded', engines: [{ status: 'left' }] }, 'and nobody is left');
});

t.test('an engine that lags is degraded once it has done so for ten seconds', async (t) => {
  await rows('INSERT INTO config_feed (kind, environment_id, object_id) SELECT $1, id, id FROM environments LIMIT 2', ['environment']);
  const [head] = await rows(`
    WITH numbered AS (
      UPDATE config_feed SET position = rank FROM (SELECT id AS row_id, row_number() OVER (ORDER BY id) AS rank FROM config_feed) AS ranked
      WHERE id = row_id RETURNING position
    ) UPDATE config_feed_state SET last_position = (SELECT max(position) FROM numbered) RETURNING last_position::integer AS last`);
  const last = head?.last ?? 0;
  await anEngine({ behind: 2 });
  const young = await health();
  t.match(young, { status: 'ok', feed: { position: last, unnumbered: 0 }, engines: [{ feed_lag: 2, behind_since: String }] });
  await rows(`UPDATE config_feed SET created_at = now() - interval '1 minute' WHERE position = $1`, [last - 1]);
  const old = await health();
  t.equal(old.status, 'degraded');
  t.ok(Date.parse(old.engines[0].behind_since) < Date.parse(young.engines[0].behind_since), 'of the oldest change that it lacks');
  await anEngine({ otherFeed: true });
  t.match(await health(), { engines: [{ feed_lag: null, behind_since: null }] }, 'a position of another feed says nothing');
  await rows('INSERT INTO config_feed (kind, environment_id, object_id) SELECT $1, id, id FROM environments LIMIT 1', ['environment']);
  t.equal((await health()).feed.unnumbered, 1);
});

t.test('the queue is the environment’s own: due, scheduled, and since when', async (t) => {
  const made = await send(api.baseUrl, 'POST /webhooks', {
    key: api.liveKey,
    body: { url: 'https://hooks.example.com/', events: ['link.created'] },
  });
  t.equal(made.status, 201);
  for (const wait of ['-90s', '-30s', '1h'])
    await rows(
      `INSERT INTO webhook_deliveries (id, created_at, webhook_id, environment_id, event_id, event_type, kind, attempt, status, due_at)
       SELECT $1, now(), id, environment_id, 'evt_1', 'link.created', 'automatic', 1, 'pending', now() + $3::interval
       FROM webhook_endpoints WHERE id = $2`,
      [`whd_${wait}`, made.json.id, wait],
    );
  const { due, scheduled, due_since: since } = (await health()).webhook_queue;
  t.same([due, scheduled], [2, 1]);
  t.ok(Math.abs(Date.now() - 90_000 - Date.parse(since)) < 30_000);
  t.same((await health(api.testKey)).webhook_queue, { due: 0, scheduled: 0, due_since: null });
});
