import t from 'tap';
import { SharedAnswers } from '../../../control-plane/views/shared-answers.js';
import { SHARED_VIEW_REMEMBERED_MS, SHARED_VIEWS_AT_ONCE, SHARED_VIEWS_OF_ENVIRONMENT_AT_ONCE } from '../../../shared/base/view-limits.js';

t.test('an answer is shared by concurrent and shortly following readers, and a failure is not', async (t) => {
  let now = 0;
  let counts = 0;
  const answers = new SharedAnswers<number>(() => now);
  const read = () => answers.read('env', 'key', async () => ++counts);
  t.same(await Promise.all([read(), read(), read()]), [1, 1, 1]);
  now = SHARED_VIEW_REMEMBERED_MS - 1;
  t.equal(await read(), 1);
  now = SHARED_VIEW_REMEMBERED_MS;
  t.equal(await read(), 2);
  const failing = () => answers.read('env', 'other', () => Promise.reject(new Error('away')));
  await t.rejects(failing(), { message: 'away' });
  t.equal(await answers.read('env', 'other', async () => 7), 7);
});

t.test('concurrent counts are limited for each environment and in total', async (t) => {
  const answers = new SharedAnswers<number>(() => 0);
  let end: () => void = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  let keys = 0;
  const read = (environment: string) => answers.read(environment, `${++keys}`, () => ended.then(() => 1));
  const running = Array.from({ length: SHARED_VIEWS_OF_ENVIRONMENT_AT_ONCE }, () => read('a'));
  await t.rejects(read('a'), { code: 'rate_limited' });
  while (running.length < SHARED_VIEWS_AT_ONCE) running.push(read(`b${running.length}`));
  await t.rejects(read('c'), { code: 'service_unavailable' });
  end();
  t.equal((await Promise.all(running)).length, SHARED_VIEWS_AT_ONCE);
  t.equal(await read('a'), 1);
});
