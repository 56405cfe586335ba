import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { clickHouseClicks } from '../../../../control-plane/click-store/clickhouse/clickhouse-store.js';
import type { ClickSelector } from '../../../../control-plane/clicks/reclassify.js';
import { newId } from '../../../../shared/base/ids.js';
import { randomInt64 } from '../../../../shared/base/random-text.js';
import { logClicks, loggedClick, makeEnvironment } from '../../../support/click-log.js';
import { copyClicks, countStored, openConfiguredClickHouse, type TestClickHouse } from '../../../support/clickhouse.js';
import { openPooledDatabase } from '../../../support/open-database.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

/** Tests changes of many clicks at once, on a server that drops only small partitions. */

const NOW = Date.parse('2026-11-20T12:00:00Z');
const DAY_MS = 86_400_000;
/** The default is 50 GB for both. */
const SMALL = '<clickhouse><max_partition_size_to_drop>1</max_partition_size_to_drop></clickhouse>';
/** More hashes than the parameter of a statement holds. */
const HASHES = 20_000;

const file = join(temporaryFolder(t), 'small.xml');
writeFileSync(file, SMALL);
const store = await openConfiguredClickHouse(t, file);
if (store !== null) await tests(store);

async function tests(store: TestClickHouse): Promise<void> {
  const { client, database } = await openPooledDatabase(t);
  const environment = await makeEnvironment(client);
  const clickHouse = clickHouseClicks(store.clickHouse, { clock: () => NOW });
  const address = Buffer.from('f123456789abcdef', 'hex');
  const link = newId('link');
  await logClicks(client, environment.number, [
    loggedClick(link, NOW, { user_agent: 'scanner', address_hash: null }),
    loggedClick(link, NOW, { user_agent: 'browser', address_hash: address }),
    loggedClick(link, NOW, { user_agent: null, address_hash: null }),
    loggedClick(link, NOW - 40 * DAY_MS),
  ]);
  await copyClicks(database, store);

  t.test('clicks of any number of user agents and of addresses are marked', async (t) => {
    const { rows } = await client.query<{ hash: string }>(`SELECT user_agent_hash AS hash FROM user_agents WHERE user_agent = 'scanner'`);
    const userAgents = [...Array.from({ length: HASHES }, randomInt64), rows[0]?.hash ?? ''];
    const addresses = [...Array.from({ length: HASHES }, () => randomBytes(8)), address];
    const selectors: readonly ClickSelector[] = [
      { by: 'user_agent', hashes: userAgents },
      { by: 'address', hashes: addresses },
    ];
    for (const selector of selectors) {
      const span = { from: new Date(NOW - DAY_MS), to: new Date(NOW + DAY_MS) };
      const wanted = { span, environmentNumber: null, selector, botReason: 'scanner', keptFrom: '2026-10-20' };
      const counted = await clickHouse.countSelected(database, wanted);
      t.match(counted, [{ day: '2026-11-20', clicks: 1 }], selector.by);
      const marked = [];
      for await (const day of clickHouse.reclassify(database, wanted)) if (day.clicks > 0) marked.push(day);
      t.strictSame(marked, counted);
      t.strictSame(await clickHouse.countSelected(database, wanted), []);
    }
  });

  t.test('old days are dropped whatever their size', async (t) => {
    await t.rejects(
      store.clickHouse.run(`ALTER TABLE clicks DROP PARTITION '20261120'`),
      /max_.*_size_to_drop/,
      'the server has the limit',
    );
    t.equal((await countStored(store)).rows, 4);
    await clickHouse.dropOld(database, 30);
    t.equal((await countStored(store)).rows, 3);
  });
}
