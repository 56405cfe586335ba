import t from 'tap';
import { postgresClicks } from '../../../control-plane/click-store/postgres-store.js';
import type { Database } from '../../../control-plane/db/database.js';
import { erasePeople, eraseProject } from '../../../control-plane/erasure/erase.js';
import type { ErasedEnvironment } from '../../../control-plane/erasure/sql.js';
import { newId } from '../../../shared/base/ids.js';
import { countLoggedClicks, logClicks, loggedClick, makeEndpoint } from '../../support/click-log.js';
import { openPooledDatabase } from '../../support/open-database.js';
import { until } from '../../support/until.js';
import { commandLine } from './command-line.js';

const { url, client, database } = await openPooledDatabase(t);
const { run, json } = commandLine(t, url);

/** The tables that mention any of the texts, each with the number of such rows. */
async function mentions(texts: readonly string[]): Promise<Readonly<Record<string, number>>> {
  const { rows: tables } = await client.query<{ name: string }>(
    "SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND NOT relispartition OR relkind = 'p' AND relnamespace = 'public'::regnamespace",
  );
  const found: Record<string, number> = {};
  for (const { name } of tables) {
    const { rows } = await client.query<{ count: number }>(
      `SELECT count(*)::integer AS count FROM ${name} AS row WHERE EXISTS (SELECT 1 FROM unnest($1::text[]) AS text WHERE strpos(row::text, text) > 0)`,
      [texts],
    );
    if (rows[0]?.count) found[name] = rows[0].count;
  }
  return found;
}

/** Creates a project with rows in every table that holds rows of an environment. */
async function fullProject(name: string) {
  const hosts = { live: `${name}.example`, test: `test.${name}.example` };
  const { value: project } = await json(['project', 'create', '--name', name, '--live-host', hosts.live, '--test-host', hosts.test]);
  const id = project.live_environment as string;
  const { rows } = await client.query<{ number: number }>('SELECT number FROM environments WHERE id = $1', [id]);
  const number = rows[0]?.number as number;
  const { value: key } = await json(['keys', 'create', '--env', id, '--name', 'k', '--scope', 'links:write']);
  const link = newId('link');
  await client.query(
    `INSERT INTO links (id, environment_id, path, deep_link_path, created_at, updated_at) VALUES ($1, $2, $3, '/', now(), now())`,
    [link, id, name],
  );
  const type = newId('resourceType');
  await client.query(`INSERT INTO resource_types VALUES ($1, $2, 'shoes', 'Shoes', 'active', now(), now())`, [type, id]);
  await client.query(
    `INSERT INTO url_templates (id, environment_id, resource_type_id, path_pattern, id_format, deep_link_path, created_at, updated_at)
     VALUES ($1, $2, $3, '/p/{id}', '{}', '/', now(), now())`,
    [newId('urlTemplate'), id, type],
  );
  await client.query(
    `INSERT INTO campaigns (id, environment_id, key, name, created_at, updated_at) VALUES ($1, $2, 'k', 'K', now(), now())`,
    [newId('campaign'), id],
  );
  const endpoint = await makeEndpoint(client, id, ['link.created']);
  await client.query(
    `INSERT INTO installs (environment_id, install_id, opened_at, platform, attribution, reason, answer)
     VALUES ($1, 'phone', now(), 'ios', 'organic', 'no_click', '{}')`,
    [id],
  );
  await client.query(
    `INSERT INTO tracked_events (id, created_at, environment_id, source, name, occurred_at) VALUES ($1, now(), $2, 'sdk', 'sale', now())`,
    [newId('event'), id],
  );
  const event = newId('event');
  await client.query(`INSERT INTO events VALUES ($1, now(), $2, 'link.created', '{}')`, [event, id]);
  await client.query(
    `INSERT INTO webhook_deliveries (id, created_at, webhook_id, environment_id, event_id, event_type, kind, attempt, status)
     VALUES ($1, now(), $2, $3, $4, 'link.created', 'automatic', 1, 'succeeded')`,
    [newId('delivery'), endpoint, id, event],
  );
  await client.query('INSERT INTO webhook_backlogs (webhook_id) VALUES ($1) ON CONFLICT DO NOTHING', [endpoint]);
  await logClicks(
    client,
    number,
    Array.from({ length: 5 }, (_, visitor) => loggedClick(link, Date.now(), { visitor })),
  );
  await countLoggedClicks(url, Date.now());
  return { project: project.id as string, id, number, key: key.id as string, link, type, endpoint, host: hosts.live };
}

const clicksOf = async (number: number) => {
  const count = async (table: string) =>
    (await client.query<{ n: number }>(`SELECT count(*)::integer AS n FROM ${table} WHERE environment_number = $1`, [number])).rows[0]?.n ??
    0;
  return { clicks: await count('clicks'), figures: (await count('click_figures')) > 0 };
};

t.test('erasing an environment deletes the data of people, keeps its configuration and leaves other environments alone', async (t) => {
  const [erased, other] = [await fullProject('erased'), await fullProject('other')];
  t.match(await run(`env erase ${erased.id}`), { status: 2, stderr: /--confirm "erased\.example"/ });
  t.match(await clicksOf(erased.number), { clicks: 5 }, 'without the confirmation nothing is deleted');
  const { value } = await json(`env erase ${erased.id} --confirm ${erased.host}`);
  t.match(value.erased, { clicks: 5, installs: 1, tracked_events: 1, events: 1, webhook_deliveries: 1 });
  t.strictSame(await clicksOf(erased.number), { clicks: 0, figures: false });
  t.match(await clicksOf(other.number), { clicks: 5, figures: true });
  const kept = await mentions([erased.id]);
  t.match(kept, { links: 1, api_keys: 1, webhook_endpoints: 1, campaigns: 1, url_templates: 1, resource_types: 1, environments: 1 });
  t.strictSame(
    ['installs', 'tracked_events', 'events', 'webhook_deliveries'].filter((table) => table in kept),
    [],
  );
  t.match(await mentions([other.id]), { installs: 1, tracked_events: 1, events: 1, webhook_deliveries: 1, links: 1 });
});

t.test('an erasure skips days that maintenance drops meanwhile', async (t) => {
  const environment = await fullProject('dropped');
  const erased = { ...environment } as unknown as Parameters<typeof erasePeople>[1];
  await client.query("SELECT ensure_day_partition('clicks', '2026-01-01'), ensure_day_partition('events', '2026-01-01')");
  const listed: string[] = [];
  const dropping: Database = {
    ...database,
    transaction: async (work) => {
      const old = /^(clicks|events)_20260101$/.test(listed.at(-1) ?? '');
      if (old) await client.query("SELECT drop_day_partitions('clicks', '2026-01-02'), drop_day_partitions('events', '2026-01-02')");
      return database.transaction(work);
    },
  };
  const rows = await erasePeople({ database: dropping, clickStore: postgresClicks, onProgress: (name) => listed.push(name) }, erased);
  t.match(rows, { clicks: 5, events: 1 });
  t.ok(listed.includes('clicks_20260101'));
  t.strictSame(await clicksOf(environment.number), { clicks: 0, figures: false });
});

t.test('the erasure of a long log of deliveries does not hold up the outcomes of those under way', async (t) => {
  const erased = await fullProject('sending');
  const [underWay, finished] = [newId('delivery'), newId('delivery')];
  for (const [id, leasedUntil] of [
    [underWay, new Date(Date.now() + 30_000)],
    [finished, null],
  ])
    await client.query(
      `INSERT INTO webhook_deliveries (id, created_at, webhook_id, environment_id, event_id, event_type, kind, attempt, status, leased_until)
       VALUES ($1, now(), $2, $3, 'evt_1', 'link.created', 'automatic', 1, 'pending', $4)`,
      [id, erased.endpoint, erased.id, leasedUntil],
    );
  await client.query('BEGIN');
  // The deletion waits for this row, as it would take long for many.
  await client.query('SELECT FROM webhook_deliveries WHERE id = $1 FOR UPDATE', [finished]);
  const erasing = json(`env erase ${erased.id} --confirm ${erased.host}`);
  await until(async () => {
    const { rowCount } = await client.query("SELECT FROM pg_locks WHERE locktype = 'transactionid' AND NOT granted");
    return rowCount === 1;
  }, 'the erasure to wait for the row');
  const outcome = client.query('SELECT FROM webhook_deliveries WHERE id = $1 FOR UPDATE NOWAIT', [underWay]);
  await t.resolves(outcome);
  await client.query('ROLLBACK');
  t.match((await erasing).value.erased, { webhook_deliveries: 3 }, 'it is erased in the end');
});

t.test('the deletion of a project with many links does not hold up the webhooks of others', async (t) => {
  const gone = await fullProject('slow');
  const { rows: environments } = await client.query<ErasedEnvironment>(
    'SELECT id, number FROM environments WHERE project_id = $1 ORDER BY id = $2 DESC',
    [gone.project, gone.id],
  );
  await client.query('BEGIN; LOCK TABLE domains IN SHARE MODE');
  const deleted = eraseProject({ database, clickStore: postgresClicks, settle: async () => {} }, gone.project, environments);
  await until(async () => {
    const { rowCount } = await client.query("SELECT FROM pg_locks WHERE relation = 'domains'::regclass AND NOT granted");
    return rowCount === 1;
  }, 'the deletion to have come as far as the domains');
  const locked = (query: string) => client.query(`${query} FOR UPDATE NOWAIT`, [gone.endpoint]);
  await t.resolves(locked('SELECT FROM webhook_backlogs WHERE webhook_id = $1'), 'engines can count what was sent');
  await t.resolves(locked('SELECT FROM webhook_endpoints WHERE id = $1'), 'and note what they learned about the endpoint');
  await client.query('ROLLBACK');
  await deleted;
});

t.test('a deleted project leaves only feed rows for engines, and an interrupted deletion is finished by the next run', async (t) => {
  const [gone, other] = [await fullProject('gone'), await fullProject('stays')];
  t.match(await run(`project delete ${gone.project} --confirm Gone`), { status: 2 });
  // The state that a run leaves that was killed after its first transaction.
  await client.query('DELETE FROM api_keys WHERE environment_id = $1', [gone.id]);
  const { status, value } = await json(`project delete ${gone.project} --confirm gone`);
  t.equal(status, 0);
  t.match(value.erased, { clicks: 5, installs: 1 });
  t.strictSame(Object.keys(await mentions([gone.project, gone.id, gone.link, gone.type, gone.endpoint, gone.key])), ['config_feed']);
  t.strictSame(await clicksOf(gone.number), { clicks: 0, figures: false });
  const { rows } = await client.query<{ kind: string }>('SELECT DISTINCT kind FROM config_feed WHERE environment_id = $1 ORDER BY 1', [
    gone.id,
  ]);
  t.strictSame(
    rows.map(({ kind }) => kind),
    ['campaign', 'environment', 'link', 'resource_type', 'url_template'],
  );
  t.match(await mentions([other.id]), { installs: 1, links: 1, api_keys: 1 });
  t.match(await clicksOf(other.number), { clicks: 5, figures: true });
  const { rows: erased } = await client.query<{ number: number }>('SELECT number FROM erased_environments');
  const numbers = erased.map(({ number }) => number);
  t.ok(
    numbers.includes(gone.number) && !numbers.includes(other.number),
    'the environment is noted as erased, so that clicks shipped later are not stored',
  );
  t.match(await run(`project delete ${gone.project} --confirm gone`), { status: 3 });
});
