import t, { type Test } from 'tap';
import { readLogRange } from '../../../../control-plane/click-figures/click-groups.js';
import { countGroups } from '../../../../control-plane/click-figures/log/count-groups.js';
import { DayGroups } from '../../../../control-plane/click-figures/prepared/day-groups.js';
import { countDayTags } from '../../../../control-plane/click-figures/prepared/day-tags.js';
import { readDayGroups } from '../../../../control-plane/click-figures/reading/day-groups.js';
import { readInSnapshot } from '../../../../control-plane/click-figures/transaction.js';
import { createDatabase as createDatabaseOf, createPool, type Database } from '../../../../control-plane/db/database.js';
import { readWindow } from '../../../../control-plane/local-days/window.js';
import { newId } from '../../../../shared/base/ids.js';
import { connect, countLoggedClicks, logClicks, loggedClick, makeEnvironment } from '../../../support/click-log.js';
import { createDatabase } from '../../../support/database.js';

const NOW = Date.parse('2026-11-20T12:00:00Z');
const HOUR_MS = 3_600_000;
const [PRINT, BANNER, NEITHER] = [newId('link'), newId('link'), newId('link')];

/** An environment with three links and clicks on three days. One link has the tag "print", and one has "print" and "banner". */
async function start(t: Test) {
  const own = await createDatabase();
  const client = await connect(own.url);
  const pool = createPool(own.url, 3, 'day-tags-test', () => {});
  const database = createDatabaseOf(pool);
  t.teardown(async () => {
    await client.end();
    await pool.end();
    await own.drop();
  });
  const environment = await makeEnvironment(client, 'Europe/Berlin');
  const tag = async (link: string, names: readonly string[]) => {
    const numbers: number[] = [];
    for (const name of names) {
      const { rows } = await client.query<{ number: number }>(
        `INSERT INTO tags (id, environment_id, name, created_at, updated_at) VALUES ($1, $2, $3, now(), now())
         ON CONFLICT (environment_id, name) DO UPDATE SET updated_at = now() RETURNING number`,
        [newId('tag'), environment.id, name],
      );
      numbers.push(rows[0]?.number as number);
    }
    await client.query(
      `INSERT INTO links (id, environment_id, path, deep_link_path, tag_numbers, created_at, updated_at) VALUES ($1, $2, $1, '/', $3, now(), now())
       ON CONFLICT (id) DO UPDATE SET tag_numbers = EXCLUDED.tag_numbers`,
      [link, environment.id, numbers],
    );
  };
  await tag(PRINT, ['print']);
  await tag(BANNER, ['print', 'banner']);
  await tag(NEITHER, []);
  const count = async (...clicks: readonly (readonly [link: string, at: string, visitor: number])[]) => {
    await logClicks(
      client,
      environment.number,
      clicks.map(([link, at, visitor]) => loggedClick(link, at, { visitor })),
    );
    await countLoggedClicks(own.url, NOW);
  };
  await count(
    [PRINT, '2026-11-18T09:00:00Z', 1],
    [BANNER, '2026-11-18T09:00:00Z', 1],
    [BANNER, '2026-11-18T10:00:00Z', 2],
    [NEITHER, '2026-11-18T10:00:00Z', 2],
    // It is the 19th in Berlin.
    [PRINT, '2026-11-18T23:30:00Z', 3],
    [newId('link'), '2026-11-19T10:00:00Z', 4],
    [PRINT, '2026-11-20T10:00:00Z', 5],
  );
  const make = async (nowMs = NOW) => {
    const groups = new DayGroups(database, 1);
    while (await groups.step(nowMs));
    let days = 0;
    while (await countDayTags(database, nowMs)) days++;
    return days;
  };
  const read = async () => {
    const window = await readWindow(database, environment.id, { from: '2026-11-18', to: '2026-11-20', days: 0 }, NOW);
    return Object.fromEntries([...(await readDayGroups(database, window, 'tag'))].sort());
  };
  /** Checks that the kept groups of the day equal those of the log. */
  const isKept = async (t: Test, day: string) => {
    const window = await readWindow(database, environment.id, { from: day, to: day, days: 0 }, NOW);
    const range = await readLogRange(database, window);
    const [logged = []] = await readInSnapshot(database, (snapshot) =>
      countGroups(snapshot, { range, conditions: ['counted'], groupings: [{ key: { tagsOf: environment.id }, limit: 100 }] }),
    );
    t.same((await read())[day], logged, day);
  };
  const changes = async () => {
    const { rows } = await client.query<{ rows: number; sum: number }>(
      'SELECT count(*)::integer AS rows, coalesce(sum(changes), 0)::integer AS sum FROM click_tag_changes',
    );
    return rows[0] as { rows: number; sum: number };
  };
  return { database, client, environment, tag, count, make, read, isKept, changes };
}

const group = (value: string | null, all: number, unique: number) => ({ value, all, human: all, unique });

t.test('finished days are counted by tag, and a click counts for each tag of its link', async (t) => {
  const { make, read, changes } = await start(t);
  t.same(await read(), {}, 'no groups are kept before the count');
  t.equal(await make(), 2, 'the two finished days are counted');
  t.same(await read(), {
    '2026-11-18': [group('print', 3, 2), group('banner', 2, 2), group(null, 1, 1)],
    '2026-11-19': [group('print', 1, 1), group(null, 1, 1)],
  });
  t.equal(await make(), 0);
  t.same(await changes(), { rows: 0, sum: 0 }, 'links that are created with tags count as no change');
});

t.test('kept groups are ignored after a change of a tag or of a link’s tags, and counted again after an hour', async (t) => {
  const { client, environment, tag, make, read, isKept } = await start(t);
  await make();
  const changes: readonly [string, () => Promise<unknown>][] = [
    ['a link gets a tag', () => tag(NEITHER, ['banner'])],
    ['a link loses one', () => tag(BANNER, ['banner'])],
    ['a tag gets another name', () => client.query(`UPDATE tags SET name = 'paper' WHERE name = 'print'`)],
    ['a tag is deleted', () => client.query(`DELETE FROM tags WHERE name = 'banner'`)],
  ];
  let nowMs = NOW;
  for (const [what, change] of changes) {
    await change();
    t.same(await read(), {}, what);
    t.equal(await make(nowMs + HOUR_MS / 2), 0, 'the days are not counted again at once');
    nowMs += HOUR_MS + 1;
    t.equal(await make(nowMs), 2);
    for (const day of ['2026-11-18', '2026-11-19']) await isKept(t, day);
  }
  t.match((await read())['2026-11-18'], [
    { value: null, all: 3 },
    { value: 'paper', all: 1 },
  ]);
  await tag(PRINT, ['paper']);
  t.match(Object.keys(await read()), ['2026-11-18', '2026-11-19'], 'setting the same tags is no change');
  const other = await makeEnvironment(client);
  await client.query(`INSERT INTO tags (id, environment_id, name, created_at, updated_at) VALUES ($1, $2, 'print', now(), now())`, [
    newId('tag'),
    other.id,
  ]);
  await client.query('DELETE FROM tags WHERE environment_id = $1', [other.id]);
  t.match(Object.keys(await read()), ['2026-11-18', '2026-11-19'], 'tags of another environment are no change');
  t.not(other.number, environment.number);
});

t.test('tags that change and clicks that arrive while a day is counted are not missed', async (t) => {
  const { database, tag, count, make, read, isKept } = await start(t);
  const groups = new DayGroups(database, 1);
  while (await groups.step(NOW));
  /** Runs the change after the work of the first transaction, before its outcome is stored. */
  const meanwhile = (change: () => Promise<unknown>): Database => {
    let done = false;
    return {
      ...database,
      transaction: async (work) => {
        const result = await database.transaction(work);
        if (!done) await change();
        done = true;
        return result;
      },
    };
  };
  t.equal(
    await countDayTags(
      meanwhile(() => tag(NEITHER, ['banner'])),
      NOW,
    ),
    true,
  );
  t.same(await read(), {}, 'groups with the former tags are ignored');
  await make(NOW + HOUR_MS + 1);
  await isKept(t, '2026-11-19');
  await tag(NEITHER, []);
  const late = [PRINT, '2026-11-19T11:00:00Z', 9] as const;
  t.equal(
    await countDayTags(
      meanwhile(() => count(late)),
      NOW + 3 * HOUR_MS,
    ),
    true,
  );
  t.same(Object.keys(await read()), [], 'groups without the late click are ignored');
  await make(NOW + 3 * HOUR_MS);
  t.match((await read())['2026-11-19'], [
    { value: 'print', all: 2 },
    { value: null, all: 1 },
  ]);
  await isKept(t, '2026-11-19');
});

t.test('a day whose log and figures differ, and one with too many tags, have no groups and are not counted again', async (t) => {
  const { client, database, count, tag, make, read } = await start(t);
  const many = Array.from({ length: 21 }, () => newId('link'));
  for (const [place, link] of many.entries())
    await tag(
      link,
      Array.from({ length: 100 }, (_, index) => `tag ${place}-${index}`),
    );
  await count(...many.map((link, visitor) => [link, '2026-11-19T10:00:00Z', visitor] as const));
  const groups = new DayGroups(database, 1);
  while (await groups.step(NOW));
  await client.query(`UPDATE clicks SET bot = true WHERE occurred_at < '2026-11-18T22:00:00Z'`);
  t.equal(await make(), 2);
  t.equal(await make(NOW + 2 * HOUR_MS), 0, 'the days are not counted again');
  t.same(await read(), {});
});

t.test('many rows of changes are merged into one', async (t) => {
  const { client, environment, make, tag, changes } = await start(t);
  await make();
  await client.query('INSERT INTO click_tag_changes SELECT $1, 1 FROM generate_series(1, 1000)', [environment.number]);
  await make();
  t.same(await changes(), { rows: 1000, sum: 1000 });
  await tag(NEITHER, ['print']);
  await Promise.all([make(), make()]);
  t.same(await changes(), { rows: 1, sum: 1001 });
});
