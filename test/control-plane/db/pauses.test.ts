import { setTimeout as wait } from 'node:timers/promises';
import t from 'tap';
import { importBlocklist } from '../../../control-plane/blocklist/import.js';
import { rebuildFigures } from '../../../control-plane/click-figures/counting/rebuild.js';
import { exportClicks } from '../../../control-plane/clicks/export.js';
import { createLongStatementPool, type Database, createDatabase as databaseOf } from '../../../control-plane/db/database.js';
import { newId } from '../../../shared/base/ids.js';
import { connect, logClicks, loggedClick, makeEnvironment } from '../../support/click-log.js';
import { createDatabase } from '../../support/database.js';

/** The time after which the server ends idle transactions; much shorter than any operator would set it. */
const LIMIT_MS = 200;
const pause = () => wait(3 * LIMIT_MS);

const NOW = Date.parse('2026-11-20T12:00:00Z');
const DAY_MS = 86_400_000;

const own = await createDatabase();
const client = await connect(own.url);
await client.query(`ALTER DATABASE ${new URL(own.url).pathname.slice(1)} SET idle_in_transaction_session_timeout = ${LIMIT_MS}`);
const pool = createLongStatementPool(own.url, 'pauses-test', () => {}, 2);
const database = databaseOf(pool);
t.teardown(async () => {
  await pool.end();
  await client.end();
  await own.drop();
});

const environment = await makeEnvironment(client);
const link = newId('link');
for (const ago of [0, 1, 2]) await logClicks(client, environment.number, [loggedClick(link, NOW - ago * DAY_MS)]);
await client.query("SELECT ensure_day_partition('clicks', '2026-11-10')");
await client.query('DELETE FROM click_batches');

t.test('the server ends a transaction that is idle for as long as in these tests', async (t) => {
  const paused = database.transaction(async (transaction) => {
    await transaction.query({ text: 'SELECT 1', values: [] });
    await pause();
    await transaction.query({ text: 'SELECT 1', values: [] });
  });
  await t.rejects(paused);
});

t.test('a rebuild of figures succeeds although reading a day pauses for longer', async (t) => {
  const slow: Database = {
    ...database,
    copyOut: async (text, take) => {
      await pause();
      await database.copyOut(text, take);
    },
  };
  t.match(await rebuildFigures(slow, { from: '2026-11-18', to: '2026-11-20', environmentId: environment.id }), { days: 3, clicks: 3 });
});

t.test('an export to a reader that pauses for longer succeeds', async (t) => {
  const lines: string[] = [];
  const write = async (text: string) => {
    await pause();
    lines.push(text);
  };
  const span = { from: new Date(NOW - 3 * DAY_MS), to: new Date(NOW + DAY_MS) };
  t.equal(await exportClicks(database, { environmentNumber: environment.number, span, format: 'ndjson', after: null, write }), 3);
  t.equal(lines.length, 3);
});

t.test('an import of a block list that pauses for longer succeeds', async (t) => {
  const chunks = async function* () {
    yield Buffer.from('one.example\n');
    await pause();
    yield Buffer.from('two.example\n');
  };
  t.match(await importBlocklist(database, { name: 'slow', format: 'plain', chunks: chunks(), strict: false }), {
    kind: 'imported',
    added: 2,
  });
});
