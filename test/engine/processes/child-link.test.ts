import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { CHILD_ENVIRONMENT, type ChildMessage, MESSAGES_VERSION } from '../../../engine/processes/messages.js';
import { until } from '../../support/until.js';

t.jobs = 4;

const CHILD = fileURLToPath(new URL('../../fixtures/supervisor/child.js', import.meta.url));

async function start() {
  const child = fork(CHILD, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const messages: ChildMessage[] = [];
  child.on('message', (message: ChildMessage) => messages.push(message));
  await until(() => messages.some(({ type }) => type === 'ready'), 'ready');
  return { child, messages };
}

t.test('a child reports ready once and alive every second', async (t) => {
  const { child, messages } = await start();
  await until(() => messages.filter(({ type }) => type === 'alive').length >= 3, 'three alive messages');
  t.equal(messages.filter(({ type }) => type === 'ready').length, 1);
  t.match(
    messages.find(({ type }) => type === 'alive'),
    { health: [{ part: 'fixture', ok: true }], metrics: [] },
  );
  child.kill('SIGKILL');
  await once(child, 'exit');
});

for (const [how, ask] of [
  ['a drain message', (child: ReturnType<typeof fork>) => child.send({ type: 'drain', whole: true })],
  ['SIGTERM', (child: ReturnType<typeof fork>) => child.kill('SIGTERM')],
  ['the loss of the channel', (child: ReturnType<typeof fork>) => child.disconnect()],
] as const)
  t.test(`${how} ends a child with code 0`, async (t) => {
    const { child } = await start();
    const ended = once(child, 'exit');
    ask(child);
    t.same(await ended, [0, null]);
  });

t.test('a child ends by itself if its supervisor is killed while the child starts', async (t) => {
  const child = fork(CHILD, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const ended = once(child, 'exit');
  child.disconnect();
  t.same(await ended, [0, null]);
});

t.test('a child whose supervisor speaks another version of the messages ends before it sends any', async (t) => {
  const env = { ...process.env, [CHILD_ENVIRONMENT.messagesVersion]: String(MESSAGES_VERSION + 1) };
  const child = fork(CHILD, { stdio: ['ignore', 'inherit', 'pipe', 'ipc'], env });
  const messages: ChildMessage[] = [];
  child.on('message', (message: ChildMessage) => messages.push(message));
  let printed = '';
  child.stderr?.on('data', (piece) => {
    printed += piece;
  });
  t.same(await once(child, 'exit'), [1, null]);
  t.same(messages, []);
  t.match(printed, /of another release.*--take-over/);
});
