import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import t, { type Test } from 'tap';
import type { ChildMessage } from '../../engine/processes/messages.js';
import { DRAIN_DEADLINE_MS } from '../../shared/base/limits.js';
import { TEST_SECRETS_KEYS } from '../support/engine.js';
import { until } from '../support/until.js';

const BACKGROUND = fileURLToPath(new URL('../../engine/background.js', import.meta.url));
type Alive = ChildMessage & { readonly type: 'alive' };

/** Starts the process without a PostgreSQL, with the messages that it has sent. */
function startBackground(t: Test, environment: NodeJS.ProcessEnv): { readonly child: ChildProcess; readonly messages: ChildMessage[] } {
  const child = fork(BACKGROUND, {
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: 'postgres://127.0.0.1:9/none',
      SECRETS_KEYS: TEST_SECRETS_KEYS,
      DATA_DIR: t.testdir(),
      LOG_LEVEL: 'silent',
      ...environment,
    },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const messages: ChildMessage[] = [];
  child.on('message', (message: ChildMessage) => messages.push(message));
  return { child, messages };
}

function newestAlive(messages: readonly ChildMessage[]): Alive | undefined {
  return messages.filter((message): message is Alive => message.type === 'alive').at(-1);
}

t.test('without PostgreSQL the process goes on, reports that every part fails, and drains on request', async (t) => {
  const { child, messages } = startBackground(t, {});
  const ended = once(child, 'exit');
  const alive = () => newestAlive(messages);
  await until(() => messages.some(({ type }) => type === 'ready'), 'ready');
  await until(() => alive()?.health.every(({ ok }) => !ok), 'every part to say that it fails', 40_000);
  t.same(
    alive()?.health.map(({ part }) => part),
    ['config-sync', 'clicks', 'webhooks', 'previews'],
  );
  for (const { reason } of alive()?.health ?? []) t.match(reason, /\S/, 'each part gives a reason');
  t.match(JSON.stringify(alive()?.metrics), /click_spool_pending_bytes/);
  t.equal(child.exitCode, null);

  const began = performance.now();
  child.send({ type: 'drain', whole: true });
  t.same(await ended, [0, null]);
  t.ok(performance.now() - began < DRAIN_DEADLINE_MS, 'the drain ends before the deadline of the supervisor');
});

t.test('without a queue the process has no part for webhooks', async (t) => {
  const { child, messages } = startBackground(t, { QUEUE_DATABASE_URL: 'none' });
  const ended = once(child, 'exit');
  await until(() => newestAlive(messages) !== undefined, 'a report');
  t.same(
    newestAlive(messages)?.health.map(({ part }) => part),
    ['config-sync', 'clicks', 'previews'],
  );
  child.send({ type: 'drain', whole: true });
  t.same(await ended, [0, null]);
});

t.test('a process that starts while the file of countries is missing works without countries', async (t) => {
  const { child, messages } = startBackground(t, { COUNTRY_DATABASE: '/nowhere/countries.mmdb' });
  const ended = once(child, 'exit');
  await until(() => messages.some(({ type }) => type === 'ready') || child.exitCode !== null, 'ready or the end');
  t.equal(child.exitCode, null);
  child.send({ type: 'drain', whole: true });
  t.same(await ended, [0, null]);
});
