import t from 'tap';
import type { ClickStore } from '../../../control-plane/click-store/click-store.js';
import { clickHouseClicks } from '../../../control-plane/click-store/clickhouse/clickhouse-store.js';
import { idToUuid, newId } from '../../../shared/base/ids.js';
import { deriveClickIdKeys, newClickId } from '../../../shared/secrets/click-id-keys.js';
import { call, send } from '../../api/api-client.js';
import { startApiServer, TEST_SECRET_KEYS } from '../../api/api-server.js';
import { connect, logClicks, loggedClick } from '../../support/click-log.js';
import { copyClicks, openClickHouse, type TestClickHouse } from '../../support/clickhouse.js';
import { insertResourceType } from '../../support/resource-type.js';

/** Tests operations of the API if clicks are in ClickHouse alone, and PostgreSQL has neither the clicks nor figures of them. */

const store = await openClickHouse(t);
if (store !== null) await tests(store);

async function tests(store: TestClickHouse): Promise<void> {
  const api = await startApiServer(t, { clickStore: clickHouseClicks(store.clickHouse) });
  const { json: link } = await send(api.baseUrl, 'POST /links', { key: api.liveKey, body: { path: 'spring' } });
  const type = await insertResourceType(api.database, api.live.id, 'product');
  const { rows } = await api.database.query<{ number: number }>({
    text: 'SELECT number FROM environments WHERE id = $1',
    values: [api.live.id],
  });
  const at = Date.now() - 60_000;
  const clickId = newClickId(deriveClickIdKeys(TEST_SECRET_KEYS), at);
  const client = await connect(api.databaseUrl);
  await logClicks(client, rows[0]?.number ?? 0, [
    loggedClick(link.id, at, { campaign: 'spring' }),
    ...['a', 'b', 'a'].map((item) => loggedClick(newId('urlTemplate'), at, { resource_type: type, item })),
  ]);
  await client.query(`UPDATE clicks SET id = $1 WHERE kind = 'link'`, [idToUuid('click', clickId)]);
  await copyClicks(api.database, store);
  await client.query('DELETE FROM clicks');
  await client.end();

  t.test('statistics of resources count clicks on items', async (t) => {
    const { status, json } = await call(t, api.baseUrl, 'GET /resources/stats', { key: api.liveKey });
    t.equal(status, 200);
    t.match(json.types, [
      {
        resource_type: 'product',
        clicks: 3,
        top_items: [
          { id: 'a', clicks: 2 },
          { id: 'b', clicks: 1 },
        ],
      },
    ]);
  });

  t.test('the query of a call is cancelled when its client disconnects', async (t) => {
    const leaving = new AbortController();
    const aborted = new Promise<void>((resolve) => {
      const hanging: ClickStore = {
        ...clickHouseClicks(store.clickHouse),
        reading: (snapshot, abort) => ({
          ...clickHouseClicks(store.clickHouse).reading(snapshot),
          groups: () =>
            new Promise((_, reject) => {
              abort?.addEventListener('abort', () => {
                resolve();
                reject(new Error('cancelled by the server'));
              });
              leaving.abort();
            }),
        }),
      };
      void startApiServer(t, { clickStore: hanging }).then(({ baseUrl, liveKey }) =>
        fetch(`${baseUrl}/stats/clicks?country=DE`, { headers: { authorization: `Bearer ${liveKey}` }, signal: leaving.signal }).catch(
          () => {},
        ),
      );
    });
    await aborted;
    t.ok(leaving.signal.aborted);
  });

  t.test('an event is stored with the link and campaign of its click', async (t) => {
    for (const [path, key] of [
      ['POST /events', api.liveKey],
      ['POST /sdk/events', api.liveAppKey],
    ] as const) {
      const { status, json } = await call(t, api.baseUrl, path, { key, body: { name: 'sale', click_id: clickId } });
      t.match([status, json], [201, { click_id: clickId }], path);
      const { rows } = await api.database.query({
        text: 'SELECT link_id, campaign FROM tracked_events WHERE id = $1',
        values: [json.id],
      });
      t.same(rows, [{ link_id: link.id, campaign: 'spring' }], path);
    }
  });
}
