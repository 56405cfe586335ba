import t, { type Test } from 'tap';
import { DatabaseUnavailableError } from '../../../control-plane/db/database.js';
import { asRefusal, Refusal } from '../../../control-plane/http/problems.js';
import { ThreadLostError } from '../../../control-plane/http/thread-lost-error.js';
import { TaskThread } from '../../../control-plane/threads/task-thread.js';
import type { ErraticTask } from './erratic.worker.js';

function start(t: Test, settings: unknown = null) {
  const lost: unknown[] = [];
  const thread = new TaskThread<ErraticTask, number>({
    module: new URL('./erratic.worker.js', import.meta.url),
    settings,
    tasksMax: 2,
    onLost: (error) => lost.push(error),
  });
  t.teardown(() => thread.stop());
  return { thread, lost };
}

for (const death of ['exit', 'throw apart'] as const)
  t.test(`when a thread ends (${death}) its current tasks fail, and waiting tasks run on a new thread`, async (t) => {
    const { thread } = start(t);
    const first = await thread.run('answer');
    const dying = [thread.run('wait'), thread.run(death)].map((task) => task.catch((error: unknown) => error));
    const waiting = thread.run('answer').catch((error: unknown) => error);
    for (const error of await Promise.all(dying)) {
      t.type(error, ThreadLostError);
      t.match(asRefusal(error), { code: 'service_unavailable', headers: { 'retry-after': '1' } });
    }
    const next = await thread.run('answer');
    t.not(next, first, 'the next task runs on another thread');
    t.equal(await waiting, next);
  });

t.test('tasks fail each time a new thread ends at its start', async (t) => {
  const { thread, lost } = start(t, 'ends as it begins');
  for (const turn of [1, 2]) {
    const results = await Promise.all(Array.from({ length: 2 }, () => thread.run('answer').catch((error: unknown) => error)));
    for (const error of results) t.type(error, ThreadLostError);
    t.equal(lost.length, turn);
    t.match(lost.at(-1), { message: 'it begins badly' });
  }
});

t.test('a stop of the thread fails its current task, and the next task runs on a new thread', async (t) => {
  const { thread } = start(t);
  const first = await thread.run('answer');
  const waiting = thread.run('wait').catch((error: unknown) => error);
  await thread.stop();
  t.type(await waiting, ThreadLostError);
  t.not(await thread.run('answer'), first);
});

t.test('errors of a task keep their type, and the thread continues', async (t) => {
  const { thread, lost } = start(t);
  const first = await thread.run('answer');
  const refusal = await thread.run('refuse').catch((error: unknown) => error);
  t.type(refusal, Refusal);
  t.match(refusal, { code: 'validation_failed', detail: '1 field is wrong.', errors: [{ pointer: '/links/3/path', code: 'reserved' }] });
  const unavailable = await thread.run('no database').catch((error: unknown) => error);
  t.type(unavailable, DatabaseUnavailableError);
  t.match(unavailable, { message: 'lost PostgreSQL', cause: { message: 'a cable' } });
  await t.rejects(thread.run('bug'), new TypeError('a bug'));
  t.equal(await thread.run('answer'), first);
  t.same(lost, []);
});
