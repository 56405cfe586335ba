import t from 'tap';
import { createLongStatementPool, createDatabase as openDatabase } from '../../../control-plane/db/database.js';
import { type LinkFilter, type LinkOrder, listLinks } from '../../../control-plane/links/list-sql.js';
import { createDatabase } from '../../support/database.js';

const NEWEST: LinkOrder = { sort: 'created_at', descending: true };

/** A node of a plan as EXPLAIN (FORMAT JSON) prints it. */
interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Parent Relationship'?: string;
  readonly Plans?: readonly PlanNode[];
}

const LINKS = 20_000;
const ENVIRONMENT = 'env_1';

const test = await createDatabase();
const pool = createLongStatementPool(test.url, 'test', () => {}, 2);
const database = openDatabase(pool);
t.teardown(async () => {
  await pool.end();
  await test.drop();
});

await pool.query(`
  INSERT INTO projects (id, name, time_zone) VALUES ('prj_1', 'p', 'UTC');
  INSERT INTO environments (id, project_id, name, link_host, open_host) VALUES ('env_1', 'prj_1', 'live', 'a.example', 'open.a.example'),
    ('env_2', 'prj_1', 'test', 'b.example', 'open.b.example');
  INSERT INTO links (id, environment_id, path, deep_link_path, destinations, campaign, state, created_at, updated_at)
  SELECT 'lnk_' || lpad(n::text, 26, '0'), CASE WHEN n % 50 = 0 THEN 'env_2' ELSE 'env_1' END, 'p' || n, '/', '{}',
    CASE WHEN n % 100 = 1 THEN 'spring' END, CASE WHEN n % 100 = 2 THEN 'disabled' ELSE 'active' END, now(), now()
  FROM generate_series(1, ${LINKS}) AS n;
  INSERT INTO tags (id, environment_id, name, created_at, updated_at) SELECT 'tag_' || name, 'env_1', name, now(), now()
  FROM unnest(ARRAY['rare', 'usual']) AS name;
  UPDATE links SET tag_numbers = ARRAY(SELECT number FROM tags WHERE name = CASE WHEN id LIKE '%77' THEN 'rare' ELSE 'usual' END)
  WHERE id LIKE '%7';
  ANALYZE`);

/** Without what is read of each row of the page: its domain and its tags. */
const nodesOf = (plan: PlanNode): readonly PlanNode[] => [
  plan,
  ...(plan.Plans ?? []).filter((part) => part['Parent Relationship'] !== 'SubPlan').flatMap(nodesOf),
];

/** The plan of the statement that lists the page. */
async function planOf(filter: LinkFilter, belowId: string | null, order: LinkOrder = NEWEST): Promise<readonly PlanNode[]> {
  const plans: PlanNode[] = [];
  const explaining = {
    query: async <Row>({ text, values }: { readonly text: string; readonly values: unknown[] }) => {
      // The tags are read, so that what is planned is the list with their numbers.
      if (/FROM tags/.test(text) && !/FROM links/.test(text)) return database.query<Row>({ text, values });
      const { rows } = await pool.query<{ 'QUERY PLAN': readonly { readonly Plan: PlanNode }[] }>(`EXPLAIN (FORMAT JSON) ${text}`, values);
      for (const row of rows) plans.push(...row['QUERY PLAN'].map(({ Plan }) => Plan));
      return { rows: [] as Row[], rowCount: 0 };
    },
  };
  await listLinks(explaining, ENVIRONMENT, filter, { belowId, limit: 20, ...order });
  return plans.flatMap(nodesOf);
}

const idOf = (n: number) => `lnk_${String(n).padStart(26, '0')}`;
const nowMs = Date.now();

for (const [name, filter] of [
  ['no filter', { nowMs, archived: false }],
  ['archived links alone', { nowMs, archived: true }],
  ['a campaign', { nowMs, archived: false, campaign: 'spring' }],
  ['a stored status', { nowMs, archived: false, status: 'disabled' }],
  ['the active ones', { nowMs, archived: false, status: 'active' }],
  ['a time of creation', { nowMs, archived: false, fromId: idOf(100), toId: idOf(LINKS - 100) }],
] as const)
  for (const [page, belowId] of [
    ['the first page', null],
    ['a far page', idOf(5_000)],
  ] as const)
    t.test(`${page} of a list with ${name} walks an index from where it begins: nothing is sorted, nothing read twice`, async (t) => {
      const nodes = await planOf(filter, belowId);
      t.ok(nodes.length > 0);
      t.same(
        nodes.filter((node) => /Sort$|^Seq Scan$|^Bitmap/.test(node['Node Type'])).map((node) => node['Node Type']),
        [],
      );
    });

for (const descending of [false, true])
  t.test(`a list by name walks its index ${descending ? 'backwards' : 'forwards'}`, async (t) => {
    const nodes = await planOf({ nowMs, archived: false }, idOf(5_000), { sort: 'name', descending });
    t.same(
      nodes.flatMap((node) => node['Index Name'] ?? []).filter((name) => name !== 'links_pkey'),
      ['links_by_name'],
    );
    t.notOk(nodes.some((node) => /Sort$/.test(node['Node Type'])));
  });

for (const descending of [false, true])
  t.test(`a list by clicks walks its index ${descending ? 'backwards' : 'forwards'}`, async (t) => {
    const nodes = await planOf({ nowMs, archived: false }, idOf(5_000), { sort: 'clicks', descending });
    t.ok(nodes.some((node) => node['Index Name'] === 'link_clicks_most'));
    t.notOk(
      nodes.some(
        (node) => /Sort$/.test(node['Node Type']) || (node['Node Type'] === 'Seq Scan' && node['Relation Name'] !== 'environments'),
      ),
    );
  });

t.test('a search for what is rare, and one for a rare tag, read an index of it', async (t) => {
  for (const [filter, index] of [
    [{ search: 'p1234' }, 'links_search'],
    [{ tag: 'rare' }, 'links_tags'],
  ] as const) {
    const nodes = await planOf({ nowMs, archived: false, ...filter }, null);
    t.ok(
      nodes.some((node) => node['Index Name'] === index),
      index,
    );
  }
});

t.test('the list itself is what the plans are of', async (t) => {
  const rows = await listLinks(database, ENVIRONMENT, { nowMs, archived: false }, { belowId: null, limit: 3, ...NEWEST });
  t.equal(rows.length, 4, 'one more than the page, which says whether there is another');
});
