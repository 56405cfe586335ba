import t from 'tap';
import { failing, untilSilenceCounts, WELL, writeEngine, writeOnlyEngine } from '../support/engine-row.js';
import { send } from './api-client.js';
import { startApiServer } from './api-server.js';

let ownParts: readonly { readonly part: string; readonly ok: boolean; readonly reason: string }[] = [];
const api = await startApiServer(t, { ready: async () => ownParts });
const rows = async (text: string, values: readonly unknown[] = []) =>
  (await api.database.query<{ last: number; counts: boolean }>({ text, values })).rows;
const health = async (key: string = api.liveKey) => (await send(api.baseUrl, 'GET /health', { key })).json;

interface Part {
  readonly part: string;
  readonly ok: boolean;
  readonly since: string | null;
}

/** The parts that do not work, each with the time since which it does not. */
async function red(): Promise<Readonly<Record<string, string | null>>> {
  const { status, parts } = (await health()) as { status: string; parts: readonly Part[] };
  const bad = parts.filter(({ ok }) => !ok);
  t.equal(status, bad.length === 0 ? 'ok' : 'degraded');
  t.ok(
    parts.every(({ ok, since }) => !ok || since === null),
    'what works has no time',
  );
  return Object.fromEntries(bad.map(({ part, since }) => [part, since]));
}

const agoMs = (time: string | null | undefined) => Date.now() - Date.parse(time ?? '');

/** Every member name and every text, at any depth. */
function wordsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => (Array.isArray(value) ? wordsOf(member) : [name, ...wordsOf(member)]));
}

t.test('a tenant sees the parts of the service, and nothing of the installation', async (t) => {
  const id = await writeOnlyEngine(rows, { report: failing('background/clicks', 'connect ECONNREFUSED 10.0.0.5:5432') });
  ownParts = [{ part: 'schema', ok: false, reason: 'secret.internal is away' }];
  const body = await health();
  ownParts = [];
  t.same(Object.keys(body).sort(), ['checked_at', 'parts', 'status', 'webhook_queue']);
  t.same(
    body.parts.map((part: object) => Object.keys(part).sort()),
    Array.from({ length: 6 }, () => ['ok', 'part', 'since']),
  );
  t.same(body.parts, [
    { part: 'redirects', ok: true, since: null },
    { part: 'configuration', ok: true, since: null },
    { part: 'clicks', ok: false, since: null },
    { part: 'webhooks', ok: true, since: null },
    { part: 'previews', ok: true, since: null },
    { part: 'api', ok: false, since: null },
  ]);
  const known = ['status', 'degraded', 'checked_at', 'parts', 'part', 'ok', 'since', 'webhook_queue', 'due', 'scheduled', 'due_since'];
  const parts = ['redirects', 'configuration', 'clicks', 'webhooks', 'previews', 'api'];
  const words = new Set(wordsOf(body));
  for (const word of [...known, ...parts, body.checked_at]) words.delete(word);
  t.same([...words], [], 'no other word');
  const text = JSON.stringify(body);
  for (const inside of [id, 'redirect-0', 'background', '10.0.0.5', 'secret.internal']) t.notMatch(text, inside);
});

t.test('without an engine nothing that engines do works', async (t) => {
  await rows('DELETE FROM engines');
  t.same(Object.keys(await red()), ['redirects', 'configuration', 'clicks', 'webhooks', 'previews']);
  await writeOnlyEngine(rows, { heartbeatAgo: '20s', left: true });
  t.same(Object.keys(await red()), ['redirects', 'configuration', 'clicks', 'webhooks', 'previews'], 'and the last one has left');
});

t.test('an engine that is well, or has yet to say how it is, leaves every part green', async (t) => {
  await writeOnlyEngine(rows);
  t.same(await red(), {});
  await writeOnlyEngine(rows, { report: null });
  t.same(await red(), {});
});

t.test('an engine that is silent: redirects, and the clicks it holds', async (t) => {
  await untilSilenceCounts(rows);
  await writeOnlyEngine(rows);
  await writeEngine(rows, { heartbeatAgo: '40s' });
  const parts = await red();
  t.same(Object.keys(parts), ['redirects', 'clicks']);
  t.ok(Math.abs(agoMs(parts.redirects) - 40_000) < 10_000, 'since it was last heard of');
  await writeOnlyEngine(rows, { heartbeatAgo: '40s', report: failing('background/webhooks', 'old news') });
  const all = await red();
  t.same(Object.keys(all), ['redirects', 'configuration', 'clicks', 'webhooks', 'previews'], 'the only one does nothing that is known');
  t.ok(Math.abs(agoMs(all.webhooks) - 40_000) < 10_000);
});

t.test('each part of an engine that fails turns its part of the service red, and no other', async (t) => {
  for (const [name, parts] of [
    ['redirect-0', ['redirects']],
    ['redirect-0/link-hosts', ['redirects']],
    ['background', ['configuration', 'clicks', 'webhooks', 'previews']],
    ['background/config-sync', ['configuration']],
    ['background/clicks', ['clicks']],
    ['background/webhooks', ['webhooks']],
    ['background/previews', ['previews']],
  ] as const) {
    await writeOnlyEngine(rows);
    await writeEngine(rows, { report: failing(name, 'out of order') });
    t.same(Object.keys(await red()), parts, name);
  }
  await writeOnlyEngine(rows, { left: true, report: failing('background/webhooks', 'it was stopped') });
  await writeEngine(rows);
  t.same(await red(), {}, 'what an engine said before it left is no news');
  await writeOnlyEngine(rows, { report: { ...WELL, parts: [...WELL.parts, { part: 'background/of-another-release', ok: false }] } });
  t.same(await red(), {}, 'what has no name here is the operator’s matter');
});

t.test('an engine that lags for ten seconds, or changes that nobody numbers: configuration', async (t) => {
  const change = () =>
    rows(`INSERT INTO config_feed (kind, environment_id, object_id) SELECT 'environment', id, id FROM environments LIMIT 2`);
  await change();
  const [head] = await rows(`
    WITH numbered AS (
      UPDATE config_feed SET position = rank FROM (SELECT id AS row_id, row_number() OVER (ORDER BY id) AS rank FROM config_feed) AS ranked
      WHERE id = row_id RETURNING position
    ) UPDATE config_feed_state SET last_position = (SELECT max(position) FROM numbered) RETURNING last_position::integer AS last`);
  await writeOnlyEngine(rows, { behind: 2 });
  t.same(await red(), {}, 'a young change is on its way');
  await rows(`UPDATE config_feed SET created_at = now() - interval '1 minute' WHERE position = $1`, [(head?.last ?? 0) - 1]);
  const behind = await red();
  t.same(Object.keys(behind), ['configuration']);
  t.ok(Math.abs(agoMs(behind.configuration) - 60_000) < 10_000, 'since the oldest change that it lacks');
  await writeOnlyEngine(rows, { behind: 2, otherFeed: true });
  t.same(await red(), {}, 'a position of another feed says nothing');
  await writeOnlyEngine(rows);
  await change();
  t.same(await red(), {});
  await rows(`UPDATE config_feed SET created_at = now() - interval '30 s' WHERE position IS NULL`);
  const unnumbered = await red();
  t.same(Object.keys(unnumbered), ['configuration']);
  t.ok(Math.abs(agoMs(unnumbered.configuration) - 30_000) < 10_000);
  await rows('DELETE FROM config_feed WHERE position IS NULL');
});

t.test('clicks that wait for a minute to be counted: clicks', async (t) => {
  await writeOnlyEngine(rows);
  await rows(`INSERT INTO click_batches (clicks, from_at, to_at) VALUES (3, now() - interval '1 hour', now() - interval '1 hour')`);
  t.same(await red(), {}, 'old clicks that were stored just now');
  await rows(`UPDATE click_batches SET stored_at = now() - interval '2 minutes'`);
  const parts = await red();
  t.same(Object.keys(parts), ['clicks']);
  t.ok(Math.abs(agoMs(parts.clicks) - 120_000) < 10_000);
  await rows('DELETE FROM click_batches');
});

t.test('parts of the control plane that answers: api, or the operator’s matter', async (t) => {
  await writeOnlyEngine(rows);
  for (const [part, parts] of [
    ['listener', ['api']],
    ['database', ['api']],
    ['campaign-ends', ['api']],
    ['feed-assigner', []],
    ['click-figures', []],
    ['maintenance', []],
  ] as const) {
    ownParts = [{ part, ok: false, reason: 'why' }];
    t.same(Object.keys(await red()), parts, part);
  }
  ownParts = [];
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
