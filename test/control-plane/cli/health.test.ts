import t from 'tap';
import { connect } from '../../support/click-log.js';
import { createDatabase } from '../../support/database.js';
import { failing, untilSilenceCounts, WELL, writeEngine, writeOnlyEngine } from '../../support/engine-row.js';
import { commandLine } from './command-line.js';

const own = await createDatabase();
const client = await connect(own.url);
t.teardown(async () => {
  await client.end();
  await own.drop();
});
const { run, json } = commandLine(t, own.url);
const rows = (text: string, values: readonly unknown[] = []) => client.query(text, [...values]);

t.test('health shows a healthy installation and ends with 0', async (t) => {
  const id = await writeOnlyEngine(rows);
  const { status, value } = await json('health');
  t.equal(status, 0);
  t.match(value, {
    status: 'ok',
    checked_at: String,
    problems: [],
    control_plane: null,
    stored: {
      feed: { position: 0, unnumbered: 0, unnumbered_since: null },
      clicks: { uncounted: 0, uncounted_since: null },
      engines: [{ id, status: 'ok', heartbeat_at: String, feed_lag: 0, behind_since: null, ...WELL }],
    },
  });
  const text = await run('health');
  t.equal(text.status, 0);
  t.equal(text.stderr, '');
  t.match(text.stdout, /^status +ok$/m);
  t.match(text.stdout, new RegExp(`│ ${id} +│ ok `));
});

t.test('health names each problem with its reason and ends with 1', async (t) => {
  await untilSilenceCounts(async (text) => (await client.query<{ counts: boolean }>(text)).rows);
  const first = await writeOnlyEngine(rows, { report: failing('background/clicks', 'connect ECONNREFUSED 10.0.0.5:5432') });
  const second = await writeEngine(rows, { heartbeatAgo: '40s' });
  await writeEngine(rows, { heartbeatAgo: '40s', left: true });
  await rows(`INSERT INTO click_batches (clicks, from_at, to_at, stored_at) VALUES (3, now(), now(), now() - interval '2 minutes')`);
  const { status, stderr, value } = await json('health');
  t.equal(status, 1);
  t.equal(stderr, 'linkd: the installation is degraded: 3 problems\n');
  t.match(value, { status: 'degraded', stored: { clicks: { uncounted: 3, uncounted_since: String } } });
  const whats = value.problems.map(({ what }: { what: string }) => what).sort();
  t.same(
    whats,
    [
      'clicks are stored but not counted',
      `engine ${first}: background/clicks fails: connect ECONNREFUSED 10.0.0.5:5432`,
      `engine ${second} no longer reports`,
    ].sort(),
  );
  t.same(value.stored.engines.map((engine: { status: string }) => engine.status).sort(), ['failing', 'left', 'silent']);
  const text = await run('health');
  t.match(text, { status: 1, stderr: 'linkd: the installation is degraded: 3 problems\n' });
  for (const what of whats) t.ok(text.stdout.includes(what), what);
});

t.test('an installation without an engine has one problem, which says so', async (t) => {
  await rows('DELETE FROM engines');
  await rows('DELETE FROM click_batches');
  t.match(await run('health'), {
    status: 1,
    stdout: /^no engine\n(.*\n)*.*no engine is connected to the database/m,
    stderr: 'linkd: the installation is degraded: 1 problem\n',
  });
});

t.test('health ends with 4 if the database cannot be reached', async (t) => {
  t.match(await commandLine(t, 'postgres://postgres@127.0.0.1:1/none').run('health'), { status: 4, stderr: /cannot be reached/ });
});

t.test('health reports an older schema and reads nothing from it', async (t) => {
  await rows("DELETE FROM schema_migrations WHERE name LIKE '0001%'");
  t.match(await run('health'), {
    status: 1,
    stdout: '',
    stderr: /^linkd: migrations have not run yet; run "linkd migrate": 0001_\S+.*\n$/,
  });
});
