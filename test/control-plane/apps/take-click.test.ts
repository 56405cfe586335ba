import { randomUUID } from 'node:crypto';
import pg from 'pg';
import t from 'tap';
import { listCandidates } from '../../../control-plane/apps/sql.js';
import { TAKE_OPEN_CLICK, takeOpenClick } from '../../../control-plane/apps/take-click.js';
import { type Database, createDatabase as databaseOf } from '../../../control-plane/db/database.js';
import { createDatabase } from '../../support/database.js';

const own = await createDatabase();
const pool = new pg.Pool({ connectionString: own.url, max: 3 });
pool.on('error', () => {});
const database = databaseOf(pool);
t.teardown(async () => {
  await pool.end();
  await own.drop();
});

const DAY_MS = 86_400_000;
/** Noon, so that clicks some minutes earlier are on the same day. */
const NOON_MS = Math.floor(Date.now() / DAY_MS) * DAY_MS + DAY_MS / 2;
const [KEY, KEY_OF_BEFORE, NO_VERSION, OTHER_VERSION] = ['11', '12', '13', '14'];
const [LINK, OTHER_LINK] = [randomUUID(), randomUUID()];

interface Made {
  readonly minutes: number;
  readonly key?: string | null;
  readonly agent?: string | null;
  readonly subject?: string;
  readonly kind?: string;
  readonly item?: string | null;
  readonly model?: string | null;
  /** The match key and the model that the page has sent. */
  readonly told?: readonly [string, string | null];
}

interface MadeClick {
  readonly id: string;
  readonly occurred_at: Date;
}

/** Inserts a click that occurred `minutes` before noon. */
async function make({ minutes, told, ...fields }: Made): Promise<MadeClick> {
  const click = { id: randomUUID(), occurred_at: new Date(NOON_MS - minutes * 60_000) };
  const { key = KEY, agent = 'aa', subject = LINK, kind = 'link', item = null, model = null } = fields;
  await pool.query(
    `INSERT INTO open_clicks (id, occurred_at, environment_number, platform, kind, subject_id, item_id, match_key, model, user_agent_hash)
     VALUES ($1, $2, 1, 'android', $3, $4, $5, $6, $7, decode($8, 'hex'))`,
    [click.id, click.occurred_at, kind, subject, item, key, model, agent],
  );
  if (told !== undefined)
    await pool.query(
      `INSERT INTO click_devices (click_id, occurred_at, environment_number, seen_key, match_key, model) VALUES ($1, $2, 1, $3, $4, $5)`,
      [click.id, click.occurred_at, key, ...told],
    );
  return click;
}

const BY_NOTHING = { sinceMs: NOON_MS, matchKeys: [] };
const WINDOW_MS = 13 * 3_600_000;

async function candidateIds(): Promise<readonly string[]> {
  const times = { since: new Date(NOON_MS - WINDOW_MS), until: new Date(NOON_MS + 60_000) };
  const clicks = await listCandidates(database, [KEY, KEY_OF_BEFORE, NO_VERSION, OTHER_VERSION] as string[], times, 100);
  return [...new Set(clicks.map(({ id }) => id))];
}

async function empty(): Promise<void> {
  await pool.query('TRUNCATE open_clicks, click_devices');
}

async function countRows(table: 'open_clicks' | 'click_devices'): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(`SELECT count(*)::integer AS count FROM ${table}`);
  return rows[0]?.count as number;
}

await pool.query(`SELECT ensure_day_partition(parent, $1::date - 1) FROM unnest(ARRAY['open_clicks', 'click_devices']) AS parent`, [
  new Date(NOON_MS).toISOString().slice(0, 10),
]);

const CASES: readonly [string, Made, Made, 'goes' | 'stays'][] = [
  ['an older click of the visitor', { minutes: 1 }, { minutes: 9 }, 'goes'],
  ['a click of the same moment', { minutes: 1 }, { minutes: 1 }, 'goes'],
  ['a newer one', { minutes: 9 }, { minutes: 1 }, 'stays'],
  ['one of another browser', { minutes: 1 }, { minutes: 9, agent: 'bb' }, 'stays'],
  ['one of a browser that is not known', { minutes: 1, agent: null }, { minutes: 9, agent: null }, 'stays'],
  ['one on another link', { minutes: 1 }, { minutes: 9, subject: OTHER_LINK as string }, 'stays'],
  ['one of another network', { minutes: 1 }, { minutes: 9, key: OTHER_VERSION as string }, 'stays'],
  ['one on the same item', { minutes: 1, kind: 'template', item: '7' }, { minutes: 9, kind: 'template', item: '7' }, 'goes'],
  ['one on another item', { minutes: 1, kind: 'template', item: '7' }, { minutes: 9, kind: 'template', item: '8' }, 'stays'],
  ['one of a model that is not known', { minutes: 1, model: 'A' }, { minutes: 9 }, 'goes'],
  ['one of another model', { minutes: 1, model: 'A' }, { minutes: 9, model: 'B' }, 'stays'],
  ['one whose page has told this version', { minutes: 1 }, { minutes: 9, key: NO_VERSION as string, told: [KEY as string, null] }, 'goes'],
  [
    'one of a version that this page has told',
    { minutes: 1, key: NO_VERSION as string, told: [KEY as string, 'A'] },
    { minutes: 9 },
    'goes',
  ],
  [
    'one whose page has told another version',
    { minutes: 1, key: NO_VERSION as string, told: [KEY as string, null] },
    { minutes: 9, key: NO_VERSION as string, told: [OTHER_VERSION as string, null] },
    'stays',
  ],
  [
    'one whose page has told another model',
    { minutes: 1, key: NO_VERSION as string, told: [KEY as string, 'A'] },
    { minutes: 9, key: NO_VERSION as string, told: [KEY as string, 'B'] },
    'stays',
  ],
  [
    'one whose page alone has told',
    { minutes: 1, key: NO_VERSION as string },
    { minutes: 9, key: NO_VERSION as string, told: [KEY as string, 'A'] },
    'goes',
  ],
];

t.test('taking a click also takes the older clicks of the same visit, but not those of other visitors, links or devices', async (t) => {
  for (const [name, taken, other, outcome] of CASES) {
    await empty();
    const [click, left] = [await make(taken), await make(other)];
    t.ok(await takeOpenClick(database, click, BY_NOTHING));
    t.same(await candidateIds(), outcome === 'stays' ? [left.id] : [], name);
    t.equal(await countRows('open_clicks'), 1, 'only the taken click loses its row, so that an open that names the other click finds it');
    t.equal(await countRows('click_devices'), outcome === 'stays' && other.told !== undefined ? 1 : 0);
    t.notOk(await takeOpenClick(database, click, BY_NOTHING), 'a click cannot be taken twice');
  }
});

t.test('clicks from before midnight are taken too if the match keys of the open include that of the click', async (t) => {
  const before = { minutes: 12 * 60 + 5, key: KEY_OF_BEFORE as string };
  const sinceMs = NOON_MS - WINDOW_MS;
  await empty();
  const [newer, older] = [await make({ minutes: 11 * 60 + 55 }), await make(before)];
  await takeOpenClick(database, newer, { sinceMs, matchKeys: ['77', '78'] });
  t.same(await candidateIds(), [older.id]);
  await takeOpenClick(database, await make({ minutes: 11 * 60 + 54 }), { sinceMs, matchKeys: [KEY, KEY_OF_BEFORE] as string[] });
  t.same(await candidateIds(), []);
});

t.test('a rolled-back take leaves all clicks available, and no take waits for a locked older click', async (t) => {
  await empty();
  const [older, newer] = [await make({ minutes: 2 }), await make({ minutes: 1 })];
  const taking = (click: MadeClick) => (transaction: Database) => takeOpenClick(transaction, click, BY_NOTHING);
  let second: Promise<boolean> | undefined;
  await database.transaction(async (transaction) => {
    await taking(older)(transaction);
    t.ok(await database.transaction(taking(newer)), 'the newer click is taken while another transaction holds the older one');
  });
  t.equal(await countRows('open_clicks'), 0);
  const [oldest, middle, newest] = [await make({ minutes: 3 }), await make({ minutes: 2 }), await make({ minutes: 1 })];
  const failed = database.transaction(async (transaction) => {
    await taking(newest)(transaction);
    second = database.transaction(taking(newest));
    throw new Error('no installation');
  });
  await t.rejects(failed, { message: 'no installation' });
  t.equal(await second, true, 'the waiting take gets the click that the rolled-back one released');
  t.same(await candidateIds(), []);
  t.ok(await takeOpenClick(database, middle, BY_NOTHING));
  t.ok(await takeOpenClick(database, oldest, BY_NOTHING));
});

t.test('taking a click reads short index ranges, however many clicks are open', async (t) => {
  await empty();
  const fill = (key: string, minutes: number) =>
    pool.query(
      `INSERT INTO open_clicks (id, occurred_at, environment_number, platform, kind, subject_id, match_key, user_agent_hash)
       SELECT gen_random_uuid(), $1::timestamptz - interval '1 ms' * n, 1, 'ios', 'link', $2, ${key}, '\\xbb' FROM generate_series(1, 10000) AS n`,
      [new Date(NOON_MS - minutes * 60_000), LINK],
    );
  await fill('1000 + n', 1);
  await fill('1000 + n', 12 * 60 + 5);
  await fill(KEY as string, 2);
  await pool.query(
    `INSERT INTO click_devices (click_id, occurred_at, environment_number, seen_key, match_key)
     SELECT id, occurred_at, 1, match_key, match_key + 50000 FROM open_clicks WHERE match_key > 1000`,
  );
  await pool.query('ANALYZE open_clicks, click_devices');
  const click = await make({ minutes: 1 });
  await make({ minutes: 1.5 });
  const values = [click.id, click.occurred_at, new Date(NOON_MS - WINDOW_MS), [KEY, KEY_OF_BEFORE]];
  const { rows } = await pool.query<ExplainRow>(`EXPLAIN (ANALYZE, FORMAT json) ${TAKE_OPEN_CLICK}`, values);
  const nodes = nodesOf((rows[0] as ExplainRow)['QUERY PLAN'][0].Plan).filter((node) => 'Relation Name' in node && 'Actual Rows' in node);
  const scans = nodes.filter((node) => node['Actual Loops'] > 0 && node['Node Type'] !== 'ModifyTable');
  t.ok(scans.length > 4);
  for (const scan of scans) {
    t.match(scan['Node Type'], /Index|Bitmap/);
    t.ok(scan['Actual Rows'] * scan['Actual Loops'] <= 1000, 'no scan reads more than 1,000 rows');
    t.notOk(scan['Rows Removed by Filter'], 'no scan filters out rows');
  }
  t.equal((await candidateIds()).length, 100, 'the clicks of other visitors are still available');
});

interface ExplainRow {
  readonly 'QUERY PLAN': readonly [{ readonly Plan: PlanNode }];
}

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

function nodesOf(node: PlanNode): readonly PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}
