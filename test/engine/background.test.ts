import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import type { ChildMessage } from '../../engine/processes/messages.js';
import { DRAIN_DEADLINE_MS } from '../../shared/base/limits.js';
import { TEST_SECRETS_KEYS } from '../support/engine.js';
import { until } from '../support/until.js';

const BACKGROUND = fileURLToPath(new URL('../../engine/background.js', import.meta.url));
type Alive = ChildMessage & { readonly type: 'alive' };

t.test('without PostgreSQL the process goes on, reports that every part fails, and drains on request', async (t) => {
  const child = fork(BACKGROUND, {
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: 'postgres://127.0.0.1:9/none',
      SECRETS_KEYS: TEST_SECRETS_KEYS,
      DATA_DIR: t.testdir(),
      LOG_LEVEL: 'silent',
    },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit');
  const messages: ChildMessage[] = [];
  child.on('message', (message: ChildMessage) => messages.push(message));
  const alive = () => messages.filter((message): message is Alive => message.type === 'alive');
  await until(() => messages.some(({ type }) => type === 'ready'), 'ready');
  await until(
    () =>
      alive()
        .at(-1)
        ?.health.every(({ ok }) => !ok),
    'every part to say that it fails',
    40_000,
  );
  t.same(
    alive()
      .at(-1)
      ?.health.map(({ part }) => part),
    ['config-sync', 'clicks', 'webhooks', 'previews'],
  );
  for (const { reason } of alive().at(-1)?.health ?? []) t.match(reason, /\S/, 'each part gives a reason');
  t.match(JSON.stringify(alive().at(-1)?.metrics), /click_spool_pending_bytes/);
  t.equal(child.exitCode, null);

  const began = performance.now();
  child.send({ type: 'drain', whole: true });
  t.same(await ended, [0, null]);
  t.ok(performance.now() - began < DRAIN_DEADLINE_MS, 'the drain ends before the deadline of the supervisor');
});
