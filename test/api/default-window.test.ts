import t from 'tap';
import { idAt } from '../../shared/base/ids.js';
import type { EventType } from '../../shared/contract/schemas/events.js';
import { exampleEvent } from '../../shared/webhooks/samples.js';
import { call } from './api-client.js';
import { startApiServer } from './api-server.js';

const DAY_MS = 86_400_000;
const NOW = Date.now();
const api = await startApiServer(t, { clock: () => NOW });

/** Ages in days: a little less and a little more than seven days before the end of a list, which is now or ten days ago. */
const AGES = [6.9, 7.1, 16.9, 17.1];

const { json: webhook } = await call(t, api.baseUrl, 'POST /webhooks', {
  key: api.liveKey,
  body: { url: 'https://hooks.example.com/', events: ['link.created'] },
});
const TYPE: EventType = 'link.created';

/** Inserts one row of that age into each log. */
async function logAt(age: number): Promise<void> {
  const createdMs = NOW - age * DAY_MS;
  const created = new Date(createdMs).toISOString();
  const event = idAt('event', createdMs);
  const run = (text: string, values: readonly unknown[]) => api.database.query({ text, values: [...values] });
  await run(
    `SELECT ensure_day_partition(parent, ($1::timestamptz AT TIME ZONE 'UTC')::date)
     FROM unnest(ARRAY['events', 'webhook_deliveries', 'tracked_events']) AS parent`,
    [created],
  );
  await run('INSERT INTO events (id, created_at, environment_id, type, body) VALUES ($1, $2, $3, $4, $5)', [
    event,
    created,
    api.live.id,
    TYPE,
    JSON.stringify({ ...exampleEvent(TYPE), created_at: created }),
  ]);
  await run(
    `INSERT INTO webhook_deliveries (id, created_at, webhook_id, environment_id, event_id, event_type, kind, attempt, status)
     VALUES ($1, $2, $3, $4, $5, $6, 'automatic', 1, 'succeeded')`,
    [idAt('delivery', createdMs), created, webhook.id, api.live.id, event, TYPE],
  );
  await run(
    `INSERT INTO tracked_events (id, created_at, environment_id, source, name, occurred_at) VALUES ($1, $2, $3, 'server', 'sale', $2)`,
    [idAt('event', createdMs), created, api.live.id],
  );
}

t.test('a list without from begins seven days before its end', async (t) => {
  for (const age of AGES) await logAt(age);
  for (const list of [`/webhooks/${webhook.id}/deliveries`, '/events', '/tracked-events']) {
    const ages = async (query: string): Promise<readonly number[]> => {
      const { status, json } = await call(t, api.baseUrl, `GET ${list}?${query}`, { key: api.liveKey });
      t.equal(status, 200, `${list}?${query}`);
      return json.data.map(({ created_at }: { created_at: string }) => Math.round((NOW - Date.parse(created_at)) / (DAY_MS / 10)) / 10);
    };
    const before = (days: number) => new Date(NOW - days * DAY_MS).toISOString();
    t.same(await ages(''), [6.9], `${list}: the end is now`);
    t.same(await ages(`to=${before(10)}`), [16.9], `${list}: the end is ten days ago`);
    t.same(await ages(`from=${before(17)}`), [6.9, 7.1, 16.9], `${list}: a beginning alone`);
    t.same(await ages(`from=${before(18)}&to=${before(7)}`), [7.1, 16.9, 17.1], `${list}: both ends`);
  }
});
