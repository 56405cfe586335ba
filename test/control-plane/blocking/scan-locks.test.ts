import t from 'tap';
import { blockLinksStep } from '../../../control-plane/blocking/block-links.js';
import { importBlocklist } from '../../../control-plane/blocklist/import.js';
import { createPool, type Database, createDatabase as openDatabase } from '../../../control-plane/db/database.js';
import { changeHosts, createProject } from '../../../control-plane/projects/projects.js';
import { createDatabase } from '../../support/database.js';
import { interrupted } from '../../support/overlapped.js';

const own = await createDatabase();
const pool = createPool(own.url, 4, 'test', () => {});
const database = openDatabase(pool);
t.teardown(async () => {
  await pool.end();
  await own.drop();
});

const NOW_MS = Date.now();
const STATEMENTS_MAX = 40;
const hosts = { test: { linkHost: 'test.example.com' }, live: { linkHost: 'go.example.com' } };
const { environments } = await createProject(database, { name: 'Demo', timeZone: 'UTC', hosts }, NOW_MS);
const LISTED = JSON.stringify({ web: 'https://listed.example/' });
const link = { id: 'lnk_01jd4v6xq8e5s0m3k7n9p2r4tw', environment_id: environments.live.id };
await pool.query(
  `INSERT INTO links (id, environment_id, path, deep_link_path, destinations, created_at, updated_at)
   VALUES ($1, $2, 'listed', '/', '{}', now(), now())`,
  [link.id, link.environment_id],
);
await pool.query(
  `INSERT INTO domains (id, environment_id, hostname, status, txt_value, redirects, created_at, updated_at)
   VALUES ('dom_1', $1, 'links.example.org', 'pending', 'v', $2, now(), now())`,
  [link.environment_id, JSON.stringify({ root: 'https://listed.example/' })],
);
async function* listed() {
  yield Buffer.from('listed.example\n');
}
await importBlocklist(database, { name: 'test', format: 'plain', chunks: listed(), strict: false });

/** Everything that leads to the listed host is as if it was stored just now, and a scan is due. */
async function unscanned(): Promise<void> {
  await pool.query(`UPDATE environments SET default_destinations = $1, blocked_urls = '{}'`, [LISTED]);
  await pool.query(`UPDATE domains SET blocked_urls = '{}'`);
  await pool.query(
    `UPDATE links SET destinations = $1, state = 'active',
       aliases = (SELECT json_build_array(json_build_object('host', link_host, 'path', 'alias')) FROM environments WHERE id = environment_id)`,
    [LISTED],
  );
  await pool.query('DELETE FROM link_aliases');
  await pool.query(
    `INSERT INTO link_aliases (id, environment_id, link_id, host, normal_path)
     SELECT new_id('als_', now()), environments.id, $2, link_host, 'alias' FROM environments WHERE environments.id = $1`,
    [link.environment_id, link.id],
  );
  await pool.query('UPDATE blocklist_scan SET cursor = NULL, began_at = NULL, changed_at = now()');
}

async function scan(at: Database): Promise<void> {
  while ((await blockLinksStep(at, { scheme: 'https', port: 0 }, NOW_MS)).next === 'more');
}

for (const name of ['test', 'live'] as const)
  t.test(`a change of the ${name} link host at any moment of a scan of the block list does not deadlock with it`, async (t) => {
    let place = 0;
    for (; place < STATEMENTS_MAX; place++) {
      await unscanned();
      const { database: at, other } = interrupted(database, place, (beside) =>
        changeHosts(beside, { ...environments[name], link_host: `host-${place}.${name}.example` }, NOW_MS),
      );
      await scan(at);
      const changed = await other();
      if (changed === undefined) break;
      t.equal(changed, null, `before statement ${place}`);
      const { rows } = await pool.query(
        `SELECT (SELECT count(*)::integer FROM environments WHERE blocked_urls <> '{}') AS environments,
           (SELECT count(*)::integer FROM domains WHERE blocked_urls <> '{}') AS domains, (SELECT state FROM links) AS link`,
      );
      t.same(rows, [{ environments: 2, domains: 1, link: 'blocked' }]);
    }
    t.ok(place > 5 && place < STATEMENTS_MAX, `there were ${place} moments`);
  });
