import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { withClient } from '../../deploy/local/with-client.js';
import { createDatabase } from '../support/database.js';
import { type CreatedLink, startStack } from '../support/stack.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';
import { createVisitor } from '../support/visitor.js';

// With sslmode=disable the driver reads the file too, and does without TLS.
t.test('redirects continue while the file of the authority of PostgreSQL is missing, and the API returns with the file', async (t) => {
  const database = await createDatabase();
  t.teardown(() => database.drop());
  const authority = join(temporaryFolder(t), 'authority.pem');
  writeFileSync(authority, '');
  const url = new URL(database.url);
  url.searchParams.set('sslmode', 'disable');
  url.searchParams.set('sslrootcert', authority);
  const { controlPlane, engine, project } = await startStack(t, { databaseUrl: url.href, processes: 1 });
  const make = (path: string) =>
    controlPlane.call<CreatedLink>(project, 'POST', '/links', { path, destinations: { web: 'https://example.com/' } });
  t.equal((await make('kept')).status, 201);
  const visit = async (path: string) => {
    const visitor = createVisitor(engine.port, project.linkHost);
    return (await visitor.visit(path).finally(visitor.close)).status;
  };
  await until(async () => (await visit('/kept')) === 302, 'the link');
  const pids = await engine.pids();

  renameSync(authority, `${authority}.away`);
  await withClient(database.url, (client) =>
    client.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()'),
  );
  await until(async () => (await make('refused')).status === 503, 'the API to be without a database');
  await until(async () => (await engine.health()).status !== 'ok', 'the engine to report it');
  for (let times = 0; times < 20; times++) t.equal(await visit('/kept'), 302);

  renameSync(`${authority}.away`, authority);
  await until(async () => (await make('later')).status === 201, 'the API', 30_000);
  await until(async () => (await visit('/later')) === 302, 'the new link', 30_000);
  await engine.whenReady();
  t.same(await engine.pids(), pids, 'no process has ended');
});
