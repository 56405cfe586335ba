import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t, { type Test } from 'tap';
import type { ChildMessage, SupervisorMessage } from '../../engine/processes/messages.js';
import { openConfigWriter } from '../../engine/store/config-writer.js';
import { environmentKey, linkKey } from '../../engine/store/keys.js';
import { systemClock } from '../../shared/base/clock.js';
import type { PartHealth } from '../../shared/base/part-health.js';
import { readSpool } from '../support/clicks.js';
import { TEST_SECRETS_KEYS } from '../support/engine.js';
import { TEST_ADDRESS_SECRET } from '../support/spool-keys.js';
import { ANDROID, environmentRecord, linkRecord, NO_DESTINATIONS, silentLog } from './fixtures.js';
import { converse, request } from './http/raw-http.js';

const ENTRY = fileURLToPath(new URL('../../engine/redirect.js', import.meta.url));
const PLAY_STORE = 'https://play.google.com/store/apps/details?id=com.shop';

/** Most of the time is spent waiting for processes to start and to send messages. */
t.jobs = 3;

type Alive = Extract<ChildMessage, { type: 'alive' }>;

/** A store with one environment and two links. */
async function writeStore(dataDir: string): Promise<void> {
  const environment = environmentRecord({ interstitial: false });
  const play = linkRecord({ id: 'lnk_01jd0000000000000000000002', destinations: { ...NO_DESTINATIONS, android: PLAY_STORE } });
  const writer = openConfigWriter(dataDir, silentLog, systemClock);
  const builder = await writer.build();
  builder.put([
    { id: environment.id, key: environmentKey(environment.number), record: environment, changesTable: true },
    { id: linkRecord().id, key: linkKey(environment.number, 'abc'), record: linkRecord(), changesTable: false },
    { id: play.id, key: linkKey(environment.number, 'play'), record: play, changesTable: false },
  ]);
  await builder.finish({ epoch: 'e', position: 1, mark: '' });
  await writer.close();
}

/** A redirect process as the supervisor starts it, with no PostgreSQL available. */
async function start(t: Test, dataDir: string, environment: Readonly<Record<string, string>> = {}) {
  const child = fork(ENTRY, {
    env: {
      ...process.env,
      ENGINE_PORT: '0',
      ENGINE_HOST: '127.0.0.1',
      DATA_DIR: dataDir,
      DATABASE_URL: 'postgres://127.0.0.1:9/none',
      SECRETS_KEYS: TEST_SECRETS_KEYS,
      SPOOL_ADDRESS_KEY: TEST_ADDRESS_SECRET.toString('base64'),
      SPOOL_BYTES_MAX: String(64 * 1024 ** 2),
      REDIRECT_PROCESSES: '1',
      LOG_LEVEL: 'silent',
      ...environment,
    },
  });
  t.teardown(() => void child.kill('SIGKILL'));
  const alive: Alive[] = [];
  child.on('message', (message: ChildMessage) => {
    if (message.type === 'alive') alive.push(message);
  });
  return { child, alive, port: await readyPort(child) };
}

/** Uses one permanent listener: if two messages come in one packet, a second `once` would miss the second. */
function readyPort(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.on('message', (message: ChildMessage) => {
      if (message.type === 'ready') resolve(message.port);
    });
    child.once('exit', (code, signal) => reject(new Error(`it ended with ${signal ?? code} before it was ready`)));
  });
}

const exitOf = async (child: ChildProcess) => {
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  return { code, signal };
};

t.test('a process that starts without PostgreSQL serves what the store holds, and reports its figures', async (t) => {
  const dataDir = t.testdir();
  await writeStore(dataDir);
  const { child, alive, port } = await start(t, dataDir);
  t.equal((await converse(port, request('/abc'), { answers: 1 })).answers[0]?.headers.get('location'), 'https://shop.example/');
  t.equal(
    (await converse(port, request('/none'), { answers: 1 })).answers[0]?.status,
    404,
    'the copy is complete, so an unknown path is missing',
  );
  while (alive.length < 3) await once(child, 'message');
  const last = alive.at(-1) as Alive;
  t.same(last.health, [{ part: 'link-hosts', ok: true, reason: '' }] satisfies PartHealth[]);
  const metrics = last.metrics as { name: string; values: { labels: Record<string, string>; value: number }[] }[];
  const of = (name: string, label?: string) =>
    metrics.find((metric) => metric.name === name)?.values.find(({ labels }) => label === undefined || Object.values(labels)[0] === label)
      ?.value;
  t.equal(of('link_host_requests_total', 'redirect'), 1);
  t.equal(of('link_host_requests_total', 'not_found'), 1);
  t.equal(of('link_host_clicks_total', 'stored'), 1);
  t.equal(of('config_store_open'), 1);
  t.equal(of('read_through_connected'), 0);
});

t.test('a process answers whether a host is served, without PostgreSQL', async (t) => {
  const dataDir = t.testdir();
  await writeStore(dataDir);
  const { child } = await start(t, dataDir);
  const answers = new Map<number, string>();
  child.on('message', (message: ChildMessage) => {
    if (message.type === 'host_answer') answers.set(message.question, message.answer);
  });
  for (const [question, host] of ['go.shop.example', 'open.go.shop.example', 'stranger.example'].entries())
    child.send({ type: 'host_question', question, host } satisfies SupervisorMessage);
  while (answers.size < 3) await once(child, 'message');
  t.same([...answers.values()], ['known', 'known', 'unknown']);
});

for (const mapped of ['true', 'false'])
  t.test(
    `a click is in the spool before its visitor is answered (SPOOL_MAPPED=${mapped}), with the id that the Play Store was given`,
    async (t) => {
      const dataDir = t.testdir();
      await writeStore(dataDir);
      const { child, port } = await start(t, dataDir, { SPOOL_MAPPED: mapped });
      const { answers } = await converse(port, request('/play?a=1', { 'User-Agent': ANDROID, Referer: 'https://r.example/' }), {
        answers: 1,
      });
      child.kill('SIGKILL');
      await exitOf(child);
      const clicks = await readSpool(join(dataDir, 'spool'));
      t.match(clicks, [
        {
          environment_number: 1,
          subject_id: 'lnk_01jd0000000000000000000002',
          host: 'go.shop.example',
          path: 'play',
          user_agent: ANDROID,
          referrer: 'https://r.example/',
          query: '',
          destination: PLAY_STORE,
        },
      ]);
      t.equal(clicks.length, 1);
      t.equal(answers[0]?.headers.get('location'), `${PLAY_STORE}&referrer=click_id%3D${clicks[0]?.id}`);
    },
  );

t.test('a process that is asked to drain ends by itself and leaves every click in the spool', async (t) => {
  const dataDir = t.testdir();
  await writeStore(dataDir);
  const { child, port } = await start(t, dataDir);
  await converse(port, request('/abc'), { answers: 1 });
  child.send({ type: 'drain', whole: true });
  t.same(await exitOf(child), { code: 0, signal: null });
  t.equal((await readSpool(join(dataDir, 'spool'))).length, 1);
});

t.test('a process that loses its supervisor ends without an error', async (t) => {
  const dataDir = t.testdir();
  const { child } = await start(t, dataDir);
  child.disconnect();
  t.same(await exitOf(child), { code: 0, signal: null });
});

t.test('a store that appears later is used, and until then visitors are asked to try again', async (t) => {
  const dataDir = t.testdir();
  const { port } = await start(t, dataDir);
  t.equal((await converse(port, request('/abc'), { answers: 1 })).answers[0]?.status, 503);
  await writeStore(dataDir);
  let status: number | undefined;
  for (let round = 0; round < 100 && status !== 302; round++)
    status = (await converse(port, request('/abc'), { answers: 1 })).answers[0]?.status;
  t.equal(status, 302);
});

t.test('the listener of node:http also redirects and stores the click', async (t) => {
  const dataDir = t.testdir();
  await writeStore(dataDir);
  const { port } = await start(t, dataDir, { ENGINE_LISTENER: 'node' });
  t.equal((await converse(port, request('/abc'), { answers: 1 })).answers[0]?.status, 302);
  t.equal((await readSpool(join(dataDir, 'spool'))).length, 1);
});

for (const [what, files] of [
  ['missing', {}],
  ['damaged', { 'countries.mmdb': 'half of a fi' }],
] as const)
  t.test(`a process that starts while the file of countries is ${what} serves without countries`, async (t) => {
    const dataDir = t.testdir(files);
    await writeStore(dataDir);
    const { port } = await start(t, dataDir, { COUNTRY_DATABASE: join(dataDir, 'countries.mmdb') });
    t.equal((await converse(port, request('/abc'), { answers: 1 })).answers[0]?.status, 302);
  });
