import pg from 'pg';
import t from 'tap';
import { createPool, createDatabase as openDatabase } from '../../../control-plane/db/database.js';
import { KeyUses } from '../../../control-plane/keys/key-uses.js';
import { createKey, listKeys } from '../../../control-plane/keys/keys.js';
import { createProject } from '../../../control-plane/projects/projects.js';
import { createDatabase } from '../../support/database.js';
import { manualClock } from '../../support/manual-clock.js';

const own = await createDatabase();
const pool = createPool(own.url, 4, 'test', () => {});
const database = openDatabase(pool);
const other = new pg.Client({ connectionString: own.url });
await other.connect();
t.teardown(async () => {
  await other.end();
  await pool.end();
  await own.drop();
});

const MADE_MS = Date.parse('2026-11-26T10:00:30.250Z');
const hosts = { test: { linkHost: 'test.example.com' }, live: { linkHost: 'go.example.com' } };
const { environments } = await createProject(database, { name: 'Demo', timeZone: 'UTC', hosts }, MADE_MS);
const environmentId = environments.live.id;

async function makeKey(): Promise<string> {
  return (await createKey(database, { environmentId, environment: 'live', kind: 'secret', name: 'k' }, MADE_MS)).id;
}

async function lastUse(id: string): Promise<string | null> {
  const row = (await listKeys(database, environmentId)).find((key) => key.id === id);
  return row?.last_used_at?.toISOString() ?? null;
}

/** The version of the key's row, which changes with each write. */
async function rowVersion(id: string): Promise<string> {
  const { rows } = await database.query<{ xmin: string }>({ text: 'SELECT xmin::text FROM api_keys WHERE id = $1', values: [id] });
  return (rows[0] as { xmin: string }).xmin;
}

t.test('the minute of the last use is written, but never a time before the creation of the key', async (t) => {
  const [used, idle] = [await makeKey(), await makeKey()];
  const clock = manualClock(MADE_MS + 1_000);
  const uses = new KeyUses(clock.now);
  uses.note(used);
  t.equal(await lastUse(used), null, 'nothing is stored before the write');
  await uses.write(database);
  t.equal(await lastUse(used), '2026-11-26T10:00:30.250Z');
  clock.advance(90_000);
  uses.note(used);
  await uses.write(database);
  t.equal(await lastUse(used), '2026-11-26T10:02:00.000Z');
  t.equal(await lastUse(idle), null);
});

t.test('several control planes write the use of a key once a minute and never an earlier one', async (t) => {
  const id = await makeKey();
  const clock = manualClock(MADE_MS + 600_000);
  const [first, second, late] = [new KeyUses(clock.now), new KeyUses(clock.now), new KeyUses(() => MADE_MS + 120_000)];
  for (const uses of [first, second, late]) uses.note(id);
  await first.write(database);
  const version = await rowVersion(id);
  await second.write(database);
  await late.write(database);
  t.equal(await rowVersion(id), version, 'the row is not written again');
  t.equal(await lastUse(id), '2026-11-26T10:10:00.000Z');
});

t.test('a locked key is skipped and written the next time', async (t) => {
  const [held, free] = [await makeKey(), await makeKey()];
  const uses = new KeyUses(() => MADE_MS + 60_000);
  await other.query('BEGIN');
  await other.query('SELECT FROM api_keys WHERE id = $1 FOR UPDATE', [held]);
  for (const id of [held, free]) uses.note(id);
  await uses.write(database);
  t.same([await lastUse(held), await lastUse(free)], [null, '2026-11-26T10:01:00.000Z']);
  await other.query('COMMIT');
  await uses.write(database);
  t.equal(await lastUse(held), '2026-11-26T10:01:00.000Z');
});

t.test('uses are kept after a failed write, and a deleted key does not prevent the others', async (t) => {
  const id = await makeKey();
  const uses = new KeyUses(() => MADE_MS + 60_000);
  uses.note(id);
  uses.note('key_gone');
  const broken = { query: () => Promise.reject(new Error('away')) };
  await t.rejects(uses.write(broken), { message: 'away' });
  await uses.write(database);
  t.equal(await lastUse(id), '2026-11-26T10:01:00.000Z');
  await uses.write(broken);
  t.pass('no use is left to write');
});
