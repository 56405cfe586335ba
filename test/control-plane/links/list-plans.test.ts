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
  readonly 'Plan Rows'?: number;
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
  INSERT INTO links (id, environment_id, path, deep_link_path, destinations, title, campaign, state, created_at, updated_at, deleted_at)
  SELECT 'lnk_' || lpad(n::text, 26, '0'), CASE WHEN n % 50 = 0 THEN 'env_2' ELSE 'env_1' END, 'p' || n, '/', '{}',
    CASE WHEN n % 2 = 0 THEN 'Sale of ' || n END,
    CASE WHEN n % 100 IN (1, 18) THEN 'spring' END, CASE WHEN n % 100 = 2 THEN 'disabled' WHEN n % 10 = 8 THEN 'deleted' ELSE 'active' END, now(), now(), CASE WHEN n % 10 = 8 THEN now() END
  FROM generate_series(1, ${LINKS}) AS n;
  INSERT INTO tags (id, environment_id, name, created_at, updated_at) SELECT 'tag_' || name, 'env_1', name, now(), now()
  FROM unnest(ARRAY['rare', 'usual']) AS name;
  UPDATE links SET tag_numbers = ARRAY(SELECT number FROM tags WHERE name = CASE WHEN id ~ '77$|788$' THEN 'rare' ELSE 'usual' END)
  WHERE id ~ '7$|88$';
  ANALYZE`);
// The state after autovacuum: pending entries make a scan of the index look expensive.
await pool.query(`SELECT gin_clean_pending_list('links_deleted_search')`);

/** The nodes of a plan, without the subplans that read the domain and the tags of each row of the page. */
const nodesOf = (plan: PlanNode): readonly PlanNode[] => [
  plan,
  ...(plan.Plans ?? []).filter((part) => part['Parent Relationship'] !== 'SubPlan').flatMap(nodesOf),
];

/** The nodes of the plan below a limit of at most `rowsMax` rows. */
const boundedNodesOf = (plan: PlanNode, rowsMax: number): readonly PlanNode[] =>
  plan['Node Type'] === 'Limit' && (plan['Plan Rows'] as number) <= rowsMax
    ? nodesOf(plan)
    : (plan.Plans ?? []).flatMap((part) => boundedNodesOf(part, rowsMax));

interface Statement {
  readonly text: string;
  readonly values: unknown[];
}

/** The statements that list the page, with their plans. None of these statements finds anything. */
async function explained(filter: LinkFilter, belowId: string | null, order: LinkOrder = NEWEST) {
  const plans: PlanNode[] = [];
  const statements: Statement[] = [];
  const explaining = {
    query: async <Row>({ text, values }: Statement) => {
      statements.push({ text, values: [...values] });
      // The tags must be read, so that the list is planned with their numbers.
      if (/FROM tags/.test(text) && !/FROM links/.test(text)) return database.query<Row>({ text, values });
      const { rows } = await pool.query<{ 'QUERY PLAN': readonly { readonly Plan: PlanNode }[] }>(`EXPLAIN (FORMAT JSON) ${text}`, values);
      for (const row of rows) plans.push(...row['QUERY PLAN'].map(({ Plan }) => Plan));
      return { rows: [] as Row[], rowCount: 0 };
    },
  };
  await listLinks(explaining, ENVIRONMENT, filter, { belowId, limit: 20, ...order });
  return { plans, statements };
}

async function plansOf(...parameters: Parameters<typeof explained>): Promise<readonly PlanNode[]> {
  return (await explained(...parameters)).plans;
}

async function planOf(...parameters: Parameters<typeof plansOf>): Promise<readonly PlanNode[]> {
  return (await plansOf(...parameters)).flatMap(nodesOf);
}

const idOf = (n: number) => `lnk_${String(n).padStart(26, '0')}`;
const nowMs = Date.now();

for (const [name, filter] of [
  ['no filter', { nowMs, archived: false }],
  ['archived links alone', { nowMs, archived: true }],
  ['links and archived ones', { nowMs, archived: null }],
  ['a campaign', { nowMs, archived: false, campaign: 'spring' }],
  ['a stored status', { nowMs, archived: false, status: 'disabled' }],
  ['the active ones', { nowMs, archived: false, status: 'active' }],
  ['the deleted ones', { nowMs, archived: null, status: 'deleted' }],
  ['a time of creation', { nowMs, archived: false, fromId: idOf(100), toId: idOf(LINKS - 100) }],
] as const)
  for (const [page, belowId] of [
    ['the first page', null],
    ['a far page', idOf(5_000)],
  ] as const)
    t.test(`${page} of a list with ${name} is read from an index without a sort, a sequential scan or a bitmap`, async (t) => {
      const nodes = await planOf(filter, belowId);
      t.ok(nodes.length > 0);
      t.same(
        nodes.filter((node) => /Sort$|^Seq Scan$|^Bitmap/.test(node['Node Type'])).map((node) => node['Node Type']),
        [],
      );
    });

for (const descending of [false, true])
  t.test(`a list by name is read from its index ${descending ? 'backwards' : 'forwards'}`, async (t) => {
    const nodes = await planOf({ nowMs, archived: false }, idOf(5_000), { sort: 'name', descending });
    t.same(
      nodes.flatMap((node) => node['Index Name'] ?? []).filter((name) => name !== 'links_pkey'),
      ['links_by_name'],
    );
    t.notOk(nodes.some((node) => /Sort$/.test(node['Node Type'])));
  });

for (const descending of [false, true])
  t.test(`a list by clicks is read from its index ${descending ? 'backwards' : 'forwards'}`, async (t) => {
    const nodes = await planOf({ nowMs, archived: false }, idOf(5_000), { sort: 'clicks', descending });
    t.ok(nodes.some((node) => node['Index Name'] === 'link_clicks_most'));
    t.notOk(
      nodes.some(
        (node) => /Sort$/.test(node['Node Type']) || (node['Node Type'] === 'Seq Scan' && node['Relation Name'] !== 'environments'),
      ),
    );
  });

for (const [what, filter, order, index] of [
  ['newest first', {}, NEWEST, 'links_deleted_newest'],
  ['by name', {}, { sort: 'name', descending: false }, 'links_deleted_by_name'],
  ['of a campaign', { campaign: 'spring' }, { sort: 'name', descending: false }, 'links_deleted_campaign'],
  ['with a text', { search: 'p1238' }, NEWEST, 'links_deleted_search'],
  ['with a rare tag', { tag: 'rare' }, NEWEST, 'links_deleted_search'],
] as const)
  t.test(`deleted links ${what} are read from an index of deleted links`, async (t) => {
    const nodes = (await plansOf({ nowMs, archived: null, status: 'deleted', ...filter }, null, order)).flatMap(nodesOf);
    t.ok(
      nodes.some((node) => node['Index Name'] === index),
      index,
    );
    t.notOk(nodes.some((node) => node['Node Type'] === 'Seq Scan'));
  });

t.test('a search for a rare text or tag uses an index of texts or tags', async (t) => {
  for (const [filter, index] of [
    [{ search: 'p1234' }, 'links_search'],
    [{ search: 'p1234' }, 'links_country_search'],
    [{ search: 'p1234' }, 'links_alias_search'],
    [{ tag: 'rare' }, 'links_tags'],
  ] as const) {
    const nodes = await planOf({ nowMs, archived: false, ...filter }, null);
    t.ok(
      nodes.some((node) => node['Index Name'] === index),
      index,
    );
  }
});

for (const search of ['%41', '...', '& &', 'a b', '%20', '%20%20%20', '%C3%B6', 'ö ä', 'p_1', '%25', '→zq'])
  for (const [list, filter] of [
    ['links', { archived: false }],
    ['deleted links', { archived: null, status: 'deleted' }],
  ] as const)
    t.test(`${list} with "${search}", which has no trigram, are those that begin with it`, async (t) => {
      const { plans, statements } = await explained({ nowMs, ...filter, search }, null);
      t.notOk(
        statements.some(({ text }) => /link_(search|country|alias)_text/.test(text)),
        'no pattern is tried on every link',
      );
      t.notOk(plans.flatMap(nodesOf).some((node) => node['Node Type'] === 'Seq Scan' && node['Relation Name'] === 'links'));
    });

/** How many links, or entries of the index of tagged links, a plan may walk before it looks up all matches instead. */
const WALKED_MAX = 10_000;

for (const sort of ['created_at', 'name', 'clicks'] as const)
  for (const [what, filter, index] of [
    ['a tag', { tag: 'rare' }, sort === 'clicks' ? 'link_clicks_tags' : 'links_tags'],
    ['a text', { search: 'p1234' }, 'links_search'],
    ...(sort === 'created_at' ? [] : [['a campaign', { campaign: 'spring' }, 'links_campaign'] as const]),
    ...(sort === 'created_at' ? [] : [['a stored status', { status: 'disabled' }, 'links_stopped'] as const]),
  ] as const)
    for (const belowId of [null, idOf(19_000)])
      t.test(
        `${what} by ${sort}, ${belowId === null ? 'first' : 'far'} page: a bounded part of the order is read, and then the index of matches`,
        async (t) => {
          const [walk, ...others] = await plansOf({ nowMs, archived: false, ...filter }, belowId, { sort, descending: true });
          const ordered = ['links_newest', 'links_by_name', 'link_clicks_most', 'link_clicks_tagged'];
          const walks = (nodes: readonly PlanNode[]) => nodes.filter((node) => ordered.includes(node['Index Name'] ?? ''));
          t.ok(others.length > 0, 'a page that is not full is completed by other statements');
          const inside = ((walk as PlanNode).Plans ?? []).flatMap((part) => boundedNodesOf(part, WALKED_MAX));
          t.same(
            walks(nodesOf(walk as PlanNode)).filter((node) => !inside.includes(node)),
            [],
            'the scan in order is bounded',
          );
          // There are few links below a place that far, all of them without clicks. Reading those is just as good.
          if (sort === 'clicks' && belowId !== null) return;
          t.same(walks(others.flatMap(nodesOf)), [], 'the other statements do not scan in order');
          t.ok(
            others.flatMap(nodesOf).some((node) => node['Index Name'] === index),
            index,
          );
        },
      );

t.test('a page of a tag is right whether the first scan fills it or not', async (t) => {
  const first = { nowMs, archived: false, tag: 'rare' };
  const { rows } = await pool.query<{ id: string }>(
    `SELECT links.id FROM links JOIN link_clicks ON link_id = links.id WHERE environment_id = $1 AND state <> 'deleted'
       AND links.tag_numbers && ARRAY(SELECT number FROM tags WHERE name = 'rare') ORDER BY human DESC, links.id DESC`,
    [ENVIRONMENT],
  );
  const ids = rows.map(({ id }) => id);
  for (const limit of [20, ids.length - 1, ids.length, ids.length + 1]) {
    const listed = await listLinks(database, ENVIRONMENT, first, { belowId: null, limit, sort: 'clicks', descending: true });
    t.same(
      listed.map(({ id }) => id),
      ids.slice(0, limit + 1),
    );
  }
  t.same(await listLinks(database, ENVIRONMENT, { ...first, tag: 'unknown' }, { belowId: null, limit: 20, ...NEWEST }), []);
});

t.test('the statements that are explained are those that PostgreSQL runs for a list that finds nothing', async (t) => {
  for (const sort of ['created_at', 'name', 'clicks'] as const)
    for (const filter of [{}, { tag: 'rare' }, { search: 'p1234' }, { status: 'disabled' }, { status: 'deleted' }] as const) {
      const nothing = { nowMs, archived: false, campaign: 'unknown', ...filter };
      const order = { sort, descending: true };
      const ran: Statement[] = [];
      const recording = {
        query: <Row>({ text, values }: Statement) => {
          ran.push({ text, values: [...values] });
          return database.query<Row>({ text, values });
        },
      };
      t.same(await listLinks(recording, ENVIRONMENT, nothing, { belowId: null, limit: 20, ...order }), []);
      t.same((await explained(nothing, null, order)).statements, ran, `${JSON.stringify(filter)} by ${sort}`);
    }
});

t.test('PostgreSQL estimates how many links contain a text', async (t) => {
  const estimate = async (text: string) => {
    // The condition is that of the list, because PostgreSQL has statistics only for the same expression.
    const [list] = (await explained({ nowMs, archived: false, search: text }, null)).statements.filter((each) =>
      /FROM links/.test(each.text),
    );
    const [, condition, place] = /(\(link_search_text\([^)]*\) COLLATE "default"\) (?:ILIKE|~\*) )\$(\d+)/.exec(list?.text ?? '') ?? [];
    const { rows } = await pool.query<{ 'QUERY PLAN': readonly { readonly Plan: PlanNode }[] }>(
      `EXPLAIN (FORMAT JSON) SELECT FROM links WHERE ${condition}$1`,
      [list?.values[Number(place) - 1]],
    );
    return rows[0]?.['QUERY PLAN'][0]?.Plan['Plan Rows'] as number;
  };
  t.ok((await estimate('sale of')) > LINKS / 4, 'the estimate for a text of every second link is high');
  t.ok((await estimate('p1234')) < LINKS / 50, 'the estimate for a text of eleven links is low');
});

t.test('a list reads one link more than the page', async (t) => {
  const rows = await listLinks(database, ENVIRONMENT, { nowMs, archived: false }, { belowId: null, limit: 3, ...NEWEST });
  t.equal(rows.length, 4, 'the additional link says whether there is another page');
});
