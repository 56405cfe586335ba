import t from 'tap';
import { CLICK_TABLES, CONFIGURATION_TABLES, PEOPLE_TABLES } from '../../../control-plane/erasure/tables.js';
import type { EnvironmentStats } from '../../../shared/contract/schemas/environment-stats.js';
import { commandLine } from '../../control-plane/cli/command-line.js';
import { connect } from '../../support/click-log.js';
import { startControlPlane } from '../../support/control-plane.js';
import { createDatabase } from '../../support/database.js';
import { TEST_SECRETS_KEYS } from '../../support/engine.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const folder = temporaryFolder(t);
const own = await createDatabase();
const client = await connect(own.url);
t.teardown(async () => {
  await client.end();
  await own.drop();
});
const { run, json } = commandLine(t, own.url, TEST_SECRETS_KEYS);
const TABLES = [...CLICK_TABLES, ...PEOPLE_TABLES, ...CONFIGURATION_TABLES].map(({ table }) => table);

async function rowsByTable(): Promise<Readonly<Record<string, number>>> {
  const found: Record<string, number> = {};
  for (const table of [...TABLES, 'environments', 'projects', 'click_batches']) {
    const { rows } = await client.query<{ rows: number }>(`SELECT count(*)::integer AS rows FROM ${table}`);
    if (rows[0]?.rows !== 0) found[table] = rows[0]?.rows as number;
  }
  return found;
}

t.test('statistics show what linkd demo reports, and linkd demo remove leaves no rows', async (t) => {
  t.same(await rowsByTable(), {});
  const made = await json('demo --clicks 3000');
  t.equal(made.status, 0, made.stderr);
  t.match(made.value, {
    clicks: 3000,
    link_host: 'demo-shop.localhost',
    installs: 12,
    tracked_events: 12,
    links: 12,
    secret_key: /^sk_live_/,
  });
  t.same((await client.query('SELECT 1 FROM click_batches')).rowCount, 0, 'the clicks are counted without a control plane');

  const controlPlane = await startControlPlane({ databaseUrl: own.url, dir: folder });
  t.teardown(() => controlPlane.stop());
  const project = { environmentId: made.value.live_environment, linkHost: '', secretKey: made.value.secret_key };
  const get = async <Body>(path: string) => (await controlPlane.call<Body>(project, 'GET', path)).body;
  const stats = await get<EnvironmentStats>('/stats?range=30d');
  t.match(stats.totals, { all: 3000, human: made.value.human_clicks, unique: made.value.unique_visitors });
  t.ok(stats.campaigns.length === 3 && stats.types.length === 1 && stats.top_links.length > 5);
  const { totals } = await get<{ totals: object }>('/stats/clicks');
  t.match(totals, { all: Number });
  t.match(await get('/links?search=lena'), { data: [{ tags: Array, campaign: 'influencers', card: { title: String } }] });
  const { data: links } = await get<{ data: { card: { image_url: string | null } }[] }>('/links?limit=100');
  t.ok(
    links.every(({ card }) => card.image_url === null),
    'no card has an image',
  );
  t.match(await get('/webhooks'), { data: [{ status: 'disabled' }] });
  const { rows } = await client.query<{ organic: number; attributed: number }>(
    `SELECT count(*) FILTER (WHERE type = 'install.organic')::integer AS organic,
       count(*) FILTER (WHERE type = 'install.attributed')::integer AS attributed FROM events`,
  );
  t.same(rows, [{ organic: 0, attributed: 12 }], 'every install is attributed to a click');

  t.match(await run('demo'), { status: 1, stderr: /already a project "demo-shop".*linkd demo remove/ });
  const removed = await run('demo remove');
  t.equal(removed.stderr, '');
  t.match(removed, { status: 0, stdout: /demo-shop/ });
  t.same(await rowsByTable(), {});
  t.match(await run('demo remove'), { status: 3, stderr: /no project "demo-shop"/ });
});

t.test('linkd demo remove refuses a project that it did not make, and a demo with keys or links of others', async (t) => {
  await json(['project', 'create', '--name', 'Real', '--live-host', 'go.real.example', '--test-host', 'test.real.example']);
  t.match(await run('demo remove --project Real'), { status: 1, stderr: /"Real" was not created by linkd demo/ });
  t.match(await run('demo --project Real2 --live-host go.real.example --clicks 1'), {
    status: 1,
    stderr: /belongs to another environment/,
  });
  t.match(await run(['demo', '--project', 'Real', '--live-host', 'x.localhost', '--clicks', '1']), { status: 1, stderr: /already/ });

  const { value } = await json('demo --project busy --live-host busy.localhost --clicks 50');
  const before = await rowsByTable();
  await json(['keys', 'create', '--env', value.live_environment, '--name', 'mine']);
  t.match(await run('demo remove --project busy'), { status: 1, stderr: /contains 1 key that linkd demo did not create/ });
  t.same({ ...(await rowsByTable()), api_keys: before.api_keys }, before, 'a refused removal deletes nothing');
  await client.query("UPDATE api_keys SET revoked_at = now() WHERE name = 'mine'");
  const { rows } = await client.query("SELECT tag_numbers FROM links WHERE path = 'jobs'");
  await client.query("UPDATE links SET tag_numbers = '{}' WHERE path = 'jobs'");
  t.match(await run('demo remove --project busy'), { status: 1, stderr: /contains 1 link that/ });
  await client.query("UPDATE links SET tag_numbers = $1 WHERE path = 'jobs'", [rows[0]?.tag_numbers]);
  t.equal((await run('demo remove --project busy')).status, 0);
  t.match(await json('project list'), { value: [{ name: 'Real' }] });
});

t.test('malformed numbers and hosts are refused before anything is made', async (t) => {
  for (const wrong of ['--clicks 0', '--clicks many', '--clicks 1000001'])
    t.match(await run(`demo ${wrong}`), { status: 2, stderr: /whole number/ }, wrong);
  for (const wrong of [
    'demo --origin 127.0.0.1:4010',
    'demo --origin http://127.0.0.1:4010/x',
    'demo serve --listen 4010',
    'demo serve --listen x:70000',
  ])
    t.match(await run(wrong), { status: 2, stderr: /expected/ }, wrong);
  for (const [wrong, option] of [
    ['demo serve --origin http://127.0.0.1:4011', '--origin'],
    ['demo --clicks 5 remove', '--clicks'],
  ] as const)
    t.match(await run(wrong), { status: 2, stderr: `unknown option '${option}'` }, wrong);
  t.match(await run(['demo', '--live-host', 'not a host']), { status: 2, stderr: /not a host name/ });
  t.match(await run(['demo', '--project', '']), { status: 2, stderr: /1 to 200 characters/ });
  t.match(await run('demo --help'), { status: 0, stdout: /linkd demo remove/ });
  t.match(await json('project list'), { value: [{ name: 'Real' }] });
});
