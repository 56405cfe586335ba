import { setTimeout as wait } from 'node:timers/promises';
import t from 'tap';
import { rebuildFigures } from '../../../../control-plane/click-figures/counting/rebuild.js';
import { reclassifyClicks } from '../../../../control-plane/clicks/reclassify.js';
import { createLongStatementPool, type Database, createDatabase as databaseOf } from '../../../../control-plane/db/database.js';
import { newId } from '../../../../shared/base/ids.js';
import { connect, logClicks, loggedClick, makeEnvironment, openCounter, waitingBatches } from '../../../support/click-log.js';
import { createDatabase } from '../../../support/database.js';

const own = await createDatabase();
const client = await connect(own.url);
const pool = createLongStatementPool(own.url, 'rebuild-test', () => {}, 2);
const database = databaseOf(pool);
t.teardown(async () => {
  await client.end();
  await pool.end();
  await own.drop();
});

const NOW = Date.parse('2026-11-20T12:00:00Z');
const DAY_MS = 86_400_000;
const DAYS = 4;
/** Reading a day takes longer than the interval between two looks of a counter. */
const READING_MS = 400;

const slow = (inner: Database): Database => ({
  ...inner,
  copyOut: async (text, take) => {
    await wait(READING_MS);
    await inner.copyOut(text, take);
  },
  transaction: (work) => inner.transaction((transaction) => work(slow(transaction))),
});

/**
 * Counts as a control plane does while the days are worked on. `work` calls `onDay` between the days. Returns the number of
 * clicks counted at each of these calls.
 */
async function countBeside(environmentNumber: number, work: (onDay: () => void) => Promise<unknown>): Promise<readonly number[]> {
  const counter = openCounter(own.url);
  const counts: number[] = [];
  let counted = 0;
  let isOver = false;
  await counter.count(NOW);
  const counting = (async () => {
    while (!isOver) {
      await logClicks(client, environmentNumber, [loggedClick(newId('link'), NOW - 1000)]);
      counted += await counter.count(NOW);
      await wait(100);
    }
  })();
  try {
    await work(() => counts.push(counted));
  } finally {
    isOver = true;
    await counting;
    while ((await counter.count(NOW)) > 0);
    await counter.end();
  }
  return counts;
}

async function makeLog() {
  const environment = await makeEnvironment(client);
  await client.query("SELECT ensure_day_partition('clicks', '2026-11-01')");
  for (let ago = 0; ago < DAYS; ago++)
    await logClicks(client, environment.number, [loggedClick(newId('link'), NOW - ago * DAY_MS, { user_agent: 'Scanner' })]);
  return environment;
}

t.test('new clicks are counted between the days of a rebuild', async (t) => {
  const environment = await makeLog();
  const counts = await countBeside(environment.number, (onDay) =>
    rebuildFigures(slow(database), { from: '2026-11-17', to: '2026-11-20', environmentId: environment.id, onProgress: onDay, lockedMs: 0 }),
  );
  t.equal(counts.length, DAYS + 1);
  for (let day = 2; day <= DAYS; day++) t.ok((counts[day] as number) > (counts[day - 1] as number), `before day ${day}: ${counts}`);
  t.equal(await waitingBatches(client), 0);
  t.match(await rebuildFigures(database, { from: '2026-11-17', to: '2026-11-20', environmentId: environment.id }), { changed: 0 });
});

t.test('new clicks are counted between the days of a reclassification', async (t) => {
  const environment = await makeLog();
  const { rows } = await client.query<{ hash: string }>("SELECT user_agent_hash AS hash FROM user_agents WHERE user_agent = 'Scanner'");
  const counts = await countBeside(environment.number, async (onDay) => {
    const wanted = {
      span: { from: new Date('2026-11-17'), to: new Date('2026-11-21') },
      environmentNumber: environment.number,
      selector: { by: 'user_agent', hashes: rows.map(({ hash }) => hash) },
      botReason: 'scanner',
      keptFrom: '2026-10-20',
    } as const;
    for await (const _ of reclassifyClicks(slow(database), wanted)) onDay();
  });
  for (let day = 1; day < DAYS; day++) t.ok((counts[day] as number) > (counts[day - 1] as number), `after day ${day}: ${counts}`);
  t.match(await rebuildFigures(database, { from: '2026-11-17', to: '2026-11-20', environmentId: environment.id }), { changed: 0 });
});
