import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import t from 'tap';
import type { Credentials } from '../../../deploy/local/credentials.js';
import { serverUser } from '../../../deploy/local/server-user.js';
import { findStaleServer } from '../../../deploy/local/stale-server.js';
import { LinkService } from '../../../shared/sdk/server.js';
import { createDatabase } from '../../support/database.js';
import { callApi, follow, type LocalStart, postgresFolder, processesOn, startLocally } from '../../support/local-start.js';
import { openEntries } from '../../support/open-entries.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { until } from '../../support/until.js';

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1';
const ANDROID = 'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36';
const DESKTOP = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36';

/** Each start takes seconds on a machine that is busy with other tests. */
t.setTimeout(300_000);

/** Parses the first printed command as a shell does, which reads the key from the file. */
function printedRequest(output: string): { url: string; authorization: string; body: Record<string, unknown> } {
  const match = /curl -s (\S+) -H "Authorization: (.+)" -H 'Content-Type: application\/json' -d '([^']+)'/.exec(output);
  if (match === null) throw new Error(`no curl in: ${output}`);
  return {
    url: match[1] as string,
    authorization: execFileSync('sh', ['-c', `echo "${match[2]}"`], { encoding: 'utf8' }).trim(),
    body: JSON.parse(match[3] as string),
  };
}

/** The `og:title` of the card that the printed command shows. */
async function printedCard(output: string): Promise<string | undefined> {
  const url = /^ {2}curl -s -A Slackbot (http:\/\/live\.localhost:\d+\/\S+)$/m.exec(output)?.[1];
  if (url === undefined) throw new Error(`no curl of a card in: ${output}`);
  return /<meta property="og:title" content="([^"]*)">/.exec((await follow(url, 'Slackbot')).body)?.[1];
}

/** The demo's metadata API, over REST. */
async function demoApi({ base_url, live }: Credentials) {
  const { resourceTypes } = new LinkService({ baseUrl: base_url, secretKey: live.secret_key });
  const [type] = await resourceTypes.list().toArray({ max: 1 });
  const read = () => resourceTypes.metadataApi.get(type?.id ?? '');
  const { id, resourceTypeId, auth, createdAt, updatedAt, ...configuration } = await read();
  return {
    read,
    port: Number(new URL(configuration.urlTemplate).port),
    change: (change: Partial<typeof configuration>) => resourceTypes.metadataApi.put(resourceTypeId, { ...configuration, ...change }),
  };
}

/** Whether the role that the service uses is a superuser: `on` or `off`. */
async function superuserOf(dataDir: string): Promise<string | undefined> {
  const client = new pg.Client({ connectionString: readFileSync(join(dataDir, 'database-url'), 'utf8').trim() });
  await client.connect();
  const { rows } = await client.query<{ is_superuser: string }>('SHOW is_superuser');
  await client.end();
  return rows[0]?.is_superuser;
}

/** The folder of those tests that each continue where the previous one ended, because creating a cluster takes most of a first start. */
const dataDir = join(temporaryFolder(t), 'data');
/** What the previous test has left running there, and how long it took to start. Starting again would take seconds of CPU time. */
let running: { readonly start: LocalStart; readonly credentials: Credentials; readonly tookMs: number } | null = null;

/** Starts the service on that folder. */
async function startThere(): Promise<NonNullable<typeof running>> {
  const beganAt = performance.now();
  const start = startLocally(t, { dataDir });
  const credentials = await start.serving();
  running = { start, credentials, tookMs: performance.now() - beganAt };
  return running;
}

/** Returns the service that runs on that folder, and starts it if none does. */
const there = async () => running ?? (await startThere());

t.test(
  'a first start prints where its keys are, and curl commands for a link and a card; the next start finds everything again',
  async (t) => {
    const first = startLocally(t, { dataDir });
    const credentials = await first.serving();
    t.match(first.output(), /preparing PostgreSQL: running bootstrap script/);
    for (const name of ['test', 'live'] as const) t.match(credentials[name].link_origin, new RegExp(`^http://${name}\\.localhost:\\d+$`));
    t.notMatch(first.output(), /[sp]k_(test|live)_/, 'no key is written to an output that is not a terminal');
    t.ok(first.output().includes(join(dataDir, 'credentials.json')), 'the file of the keys is named');

    const printed = printedRequest(first.output());
    const made = await fetch(printed.url, {
      method: 'POST',
      headers: { authorization: printed.authorization, 'content-type': 'application/json' },
      body: JSON.stringify(printed.body),
    });
    const link = (await made.json()) as { id: string; url: string };
    t.equal(made.status, 201, JSON.stringify(link));
    t.equal(link.url, `${credentials.test.link_origin}/hello`);
    const answers = await Promise.all([IPHONE, ANDROID, DESKTOP].map((agent) => follow(link.url, agent)));
    const destinations = printed.body.destinations as Record<string, string>;
    t.strictSame(
      answers.map(({ status, location }) => [status, location]),
      [302, 302, 302].map((status, index) => [status, [destinations.ios, destinations.android, destinations.web][index]]),
    );
    const counted = async () => {
      const { totals } = (await callApi(credentials, `/links/${link.id}/stats`)).json as { totals: Record<string, number> };
      return totals.all === 3 && totals;
    };
    t.strictSame(await until(counted, 'three clicks to be counted'), { all: 3, human: 3, unique: 3 });
    t.equal(await printedCard(first.output()), 'Trail runner');
    t.strictSame(openEntries(dataDir), [], 'all files of the service are private to its user');
    t.equal(await superuserOf(dataDir), 'off');
    const { change, port } = await demoApi(credentials);
    await change({ ttlSeconds: 77 });

    t.equal(await first.end('SIGINT'), 0);
    t.strictSame(processesOn(dataDir), [], 'no process is left');
    t.strictSame(readdirSync(join(dataDir, 'processes')), []);

    // Another process takes the port of the sample API meanwhile.
    const taken = createServer().listen(port, '127.0.0.1');
    t.teardown(() => taken.close());
    const { start: second, credentials: again } = await startThere();
    t.equal(await printedCard(second.output()), 'Trail runner', 'the card is shown although the sample API has a new port');
    t.equal((await (await demoApi(again)).read()).ttlSeconds, 77, 'a changed configuration of the metadata API is kept');
    t.strictSame([again.test.secret_key, again.live.publishable_key], [credentials.test.secret_key, credentials.live.publishable_key]);
    t.notMatch(second.output(), new RegExp(credentials.test.secret_key), 'the second start prints no key');
    const found = await callApi(again, `/links/${link.id}`);
    t.equal(found.status, 200);
    const moved = `${again.test.link_origin}/hello`;
    t.equal(found.json.url, moved);
    t.equal((await follow(moved, DESKTOP)).location, destinations.web);
  },
);

t.test('after kill -9 of the start, the next start has one PostgreSQL and every row (promise A7)', async (t) => {
  const { start: first, credentials, tookMs: plainMs } = await there();
  const paths = Array.from({ length: 20 }, (_, index) => `kept-${index}`);
  for (const path of paths)
    t.equal(
      (await callApi(credentials, '/links', { path, deep_link_path: '/', destinations: { web: `https://example.com/${path}` } })).status,
      201,
    );
  t.equal(await first.end('SIGKILL'), 'SIGKILL');

  const { start: second, credentials: again, tookMs: recoveryMs } = await startThere();
  // The promise holds for a machine that does nothing else. Other tests slow a plain start down as much.
  t.ok(recoveryMs < Math.max(10_000, 2.5 * plainMs), `${Math.round(recoveryMs)} ms; a plain start took ${Math.round(plainMs)} ms`);
  const servers = processesOn(dataDir).filter((pid) => /postgres\0-D\0/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8')));
  t.equal(servers.length, 1);
  t.equal(again.test.secret_key, credentials.test.secret_key);
  t.equal(await printedCard(second.output()), 'Trail runner');
  for (const path of paths) t.equal((await follow(`${again.test.link_origin}/${path}`, DESKTOP)).location, `https://example.com/${path}`);
});

t.test('a second start on the same folder ends with one line and does not disturb the first, and lost keys are made again', async (t) => {
  const { start: first, credentials } = await there();
  const second = startLocally(t, { dataDir });
  t.equal(await second.ended(), 1);
  t.match(second.output(), new RegExp(`^the service is already running on ${dataDir} \\(process ${first.child.pid}\\)\n$`));
  t.equal((await callApi(credentials, '/links')).status, 200);

  // If the keys are lost, the next start creates new ones and says so.
  t.equal(await first.end('SIGTERM'), 0);
  t.strictSame(processesOn(dataDir), []);
  t.equal(findStaleServer(join(postgresFolder(dataDir) ?? '', 'data')), null);
  rmSync(join(dataDir, 'credentials.json'));
  const { start: third, credentials: renewed } = await startThere();
  t.match(third.output(), /were lost or belong to another database/);
  t.not(renewed.test.secret_key, credentials.test.secret_key);
  t.equal((await callApi(renewed, '/links')).status, 200);
  await third.end('SIGINT');
});

t.test('a DATA_DIR that cannot be used stops the start with one line that names it', async (t) => {
  const folder = temporaryFolder(t);
  const file = join(folder, 'file');
  writeFileSync(file, '');
  const foreign = join(folder, 'foreign');
  mkdirSync(foreign, { mode: 0o555 }); // modes do not stop root, so root starts as an account that does not own the folder
  for (const [dataDir, user, why] of [
    [file, null, 'is not a folder'],
    [join(file, 'inside'), null, 'cannot be used: ENOTDIR'],
    [foreign, serverUser(null), 'cannot be used: EACCES'],
  ] as const) {
    const refused = startLocally(t, { dataDir, user, output: join(folder, 'output') });
    t.equal(await refused.ended(), 1);
    t.equal(refused.output(), `DATA_DIR ${dataDir} ${why}\n`);
  }
});

t.test('with DATABASE_URL its server is used and no PostgreSQL is started', async (t) => {
  const database = await createDatabase();
  const dataDir = join(temporaryFolder(t), 'data');
  const started = startLocally(t, { dataDir, environment: { DATABASE_URL: database.url } });
  const credentials = await started.serving();
  t.equal((await callApi(credentials, '/links', { path: 'there', deep_link_path: '/' })).status, 201);
  t.equal(postgresFolder(dataDir), null);
  t.equal(await printedCard(started.output()), 'Trail runner');
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  t.equal((await client.query("SELECT FROM links WHERE path = 'there'")).rowCount, 1);
  await client.end();
  t.equal(await started.end('SIGTERM'), 0);
  await database.drop();
});

t.test('with CLICK_STORE=clickhouse the tables of clicks are made as well', async (t) => {
  const database = await createDatabase();
  const statements: string[] = [];
  const clickHouse = createHttpServer(async (request, response) => {
    statements.push(await text(request));
    response.end();
  }).listen(0, '127.0.0.1');
  await once(clickHouse, 'listening');
  const CLICKHOUSE_URL = `http://127.0.0.1:${(clickHouse.address() as AddressInfo).port}`;
  const environment = { DATABASE_URL: database.url, CLICK_STORE: 'clickhouse', CLICKHOUSE_URL };
  const started = startLocally(t, { dataDir: join(temporaryFolder(t), 'data'), environment });
  await started.serving();
  for (const table of ['clicks', 'click_sums'])
    await until(() => statements.some((statement) => statement.includes(`CREATE TABLE IF NOT EXISTS ${table} (`)), table);
  t.equal(await started.end('SIGTERM'), 0);
  clickHouse.close().closeAllConnections();
  await database.drop();
});

t.test('the start runs as an ordinary user', async (t) => {
  const folder = temporaryFolder(t);
  const dataDir = join(folder, 'data');
  // If the tests run as root, starts as the account that PostgreSQL would be given, which owns only its folder here.
  const user = serverUser(null);
  mkdirSync(dataDir);
  if (user !== null) chownSync(dataDir, user.uid, user.gid);
  const started = startLocally(t, { dataDir, user });
  const credentials = await started.serving();
  t.equal(
    (await callApi(credentials, '/links', { path: 'mine', deep_link_path: '/', destinations: { web: 'https://example.com/mine' } })).status,
    201,
  );
  t.equal((await follow(`${credentials.test.link_origin}/mine`, DESKTOP)).location, 'https://example.com/mine');
  t.equal(statSync(join(dataDir, 'credentials.json')).uid, user?.uid ?? process.getuid?.());
  t.strictSame(openEntries(dataDir), [], 'all files of the service are private to its user');
  t.equal(await started.end('SIGINT'), 0);
  t.strictSame(processesOn(dataDir), []);
});
