import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { ALIASES, readById } from '../../../engine/sync/sources.js';
import { newId } from '../../../shared/base/ids.js';
import { aliasRecordFromRow } from '../../../shared/feed/alias-row.js';
import { type ConfigFixture, configFixture, differences, following, openReader, startSync } from './config-fixture.js';

const PATHS = 600;
const KILLS = 12;

const any = (max: number) => Math.floor(Math.random() * max);

/** Changes, deletes, creates and replaces links and aliases, and renames hosts, one after the other until `stop` is called. */
function changeEverything(fixture: ConfigFixture, ids: Map<string, string>) {
  let stopped = false;
  let count = 0;
  const aliases = new Set<string>();
  const giveAlias = async (path: string, linkId: string) => {
    await fixture.pool.query(
      `WITH given AS (
         INSERT INTO link_aliases (id, environment_id, link_id, host, normal_path) VALUES ($1, $2, $3, 'go.example', $4)
         ON CONFLICT DO NOTHING RETURNING *)
       INSERT INTO config_feed (kind, environment_id, object_id, object_key)
       SELECT 'alias', environment_id, id, host || '/' || normal_path FROM given`,
      [newId('alias'), fixture.environmentIds[0], linkId, path],
    );
    aliases.add(path);
    fixture.assigner.poke();
  };
  const changeOne = async () => {
    const path = `p${any(PATHS)}`;
    const id = ids.get(path);
    const choice = any(10);
    if (id === undefined) ids.set(path, await fixture.createLink(path, `/${count}`));
    else if (choice < 4) await fixture.changeLink(id, `/${count}`);
    else if (choice < 8) {
      await fixture.purgeLink(id);
      ids.delete(path);
      // Another link takes the path at once.
      if (choice < 6) ids.set(path, await fixture.createLink(path, `/${count}`));
    } else if (choice === 8) {
      const alias = `a${any(40)}`;
      // The alias belongs to another link from then on.
      await fixture.pool.query('DELETE FROM link_aliases WHERE environment_id = $1 AND normal_path = $2', [
        fixture.environmentIds[0],
        alias,
      ]);
      if (any(3) > 0) await giveAlias(alias, id);
    } else await fixture.renameHost(any(2) as 0 | 1, `host${count}.localhost`);
    count += 1;
  };
  const done = (async () => {
    while (!stopped) await changeOne();
  })();
  return {
    aliases,
    async stop(): Promise<number> {
      stopped = true;
      await done;
      return count;
    },
  };
}

/** Waits until the child has copied that many pages, or the whole copy. */
function pagesOf(child: ChildProcess, pages: number): Promise<'whole' | 'pages' | 'exit'> {
  return new Promise((resolve) => {
    let seen = 0;
    child.on('message', (message) => {
      seen += 1;
      if (message === 'whole') resolve('whole');
      else if (seen === pages) resolve('pages');
    });
    child.once('exit', () => resolve('exit'));
  });
}

t.test('a copy that is killed again and again while everything changes equals PostgreSQL in the end', async (t) => {
  const fixture = await configFixture(t);
  const dir = t.testdir();
  const ids = new Map<string, string>();
  for (let n = 0; n < PATHS; n += 2) ids.set(`p${n}`, await fixture.createLink(`p${n}`));
  const changes = changeEverything(fixture, ids);
  const start = () => {
    const child = fork(fileURLToPath(new URL('../../fixtures/bootstrap-process.js', import.meta.url)), [fixture.url, dir]);
    t.teardown(() => child.kill('SIGKILL'));
    return child;
  };
  let kills = 0;
  for (;;) {
    const child = start();
    // So few pages that all kills happen during one copy.
    const outcome = await pagesOf(child, kills < KILLS ? 1 + any(6) : Number.POSITIVE_INFINITY);
    if (outcome === 'exit') throw new Error('the copying process ended by itself');
    if (outcome === 'whole') {
      if (child.exitCode === null) await once(child, 'exit');
      break;
    }
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
    kills += 1;
  }
  const count = await changes.stop();
  t.ok(kills >= 6, `${kills} kills, ${count} changes`);
  t.ok(count > 100, `${count} changes`);
  const sync = startSync(t, fixture.url, dir, { pollMs: 50 });
  await following(sync, 0);
  const reader = openReader(t, dir);
  t.strictSame(await differences(fixture, sync, reader), []);
  t.equal(sync.stats().bootstraps, 0, 'the copy is followed without another bootstrap');
  const ghosts: string[] = [];
  for (let n = 0; n < PATHS; n++) if (!ids.has(`p${n}`) && reader.findLink(1, `p${n}`) !== undefined) ghosts.push(`p${n}`);
  t.strictSame(ghosts, [], 'no deleted object is there');
  const { rows } = await fixture.pool.query<{ id: string }>('SELECT id FROM link_aliases');
  const client = await fixture.pool.connect();
  const stored = await readById(
    client,
    ALIASES,
    rows.map(({ id }) => id),
  );
  client.release();
  const paths = new Map(stored.map((row) => [row.address, aliasRecordFromRow(row).link_path]));
  for (const alias of changes.aliases) t.equal(reader.findAlias(1, `go.example/${alias}`), paths.get(`go.example/${alias}`), alias);
  const { rows: hosts } = await fixture.pool.query<{ link_host: string }>('SELECT link_host FROM environments ORDER BY number');
  t.same(
    reader.readTableInput().environments.map(({ link_host }) => link_host),
    hosts.map(({ link_host }) => link_host),
  );
});
