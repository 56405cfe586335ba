import t from 'tap';
import { createPool, createDatabase as openDatabase } from '../../../control-plane/db/database.js';
import { type LinkFilter, listLinks } from '../../../control-plane/links/sql.js';
import { createDatabase } from '../../support/database.js';

/** A node of a plan as EXPLAIN (FORMAT JSON) prints it. */
interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly Plans?: readonly PlanNode[];
}

const LINKS = 20_000;
const ENVIRONMENT = 'env_1';

const test = await createDatabase();
const pool = createPool(test.url, 2, 'test', () => {});
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
  ANALYZE`);

const nodesOf = (plan: PlanNode): readonly PlanNode[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

/** The plan of the statement that lists the page. */
async function planOf(filter: LinkFilter, belowId: string | null): Promise<readonly PlanNode[]> {
  const plans: PlanNode[] = [];
  const explaining = {
    query: async <Row>({ text, values }: { readonly text: string; readonly values: unknown[] }) => {
      const { rows } = await pool.query<{ 'QUERY PLAN': readonly { readonly Plan: PlanNode }[] }>(`EXPLAIN (FORMAT JSON) ${text}`, values);
      for (const row of rows) plans.push(...row['QUERY PLAN'].map(({ Plan }) => Plan));
      return { rows: [] as Row[], rowCount: 0 };
    },
  };
  await listLinks(explaining, ENVIRONMENT, filter, { belowId, limit: 20 });
  return plans.flatMap(nodesOf);
}

const idOf = (n: number) => `lnk_${String(n).padStart(26, '0')}`;
const nowMs = Date.now();

for (const [name, filter] of [
  ['no filter', { nowMs }],
  ['a campaign', { nowMs, campaign: 'spring' }],
  ['a stored status', { nowMs, status: 'disabled' }],
  ['the active ones', { nowMs, status: 'active' }],
  ['a time of creation', { nowMs, fromId: idOf(100), toId: idOf(LINKS - 100) }],
] as const)
  for (const [page, belowId] of [
    ['the first page', null],
    ['a far page', idOf(5_000)],
  ] as const)
    t.test(`${page} of a list with ${name} walks an index from where it begins: nothing is sorted, nothing read twice`, async (t) => {
      const nodes = await planOf(filter, belowId);
      t.ok(nodes.length > 0);
      t.same(
        nodes
          .filter((node) => /Sort$|^Seq Scan$|^Bitmap/.test(node['Node Type']) && node['Relation Name'] !== 'domains')
          .map((node) => node['Node Type']),
        [],
      );
    });

t.test('the list itself is what the plans are of', async (t) => {
  const rows = await listLinks(database, ENVIRONMENT, { nowMs }, { belowId: null, limit: 3 });
  t.equal(rows.length, 4, 'one more than the page, which says whether there is another');
});
