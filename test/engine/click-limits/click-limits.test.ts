import t from 'tap';
import { ClickRounds } from '../../../engine/click-limits/click-limits.js';
import type { AskedClicks, GrantedClicks } from '../../../engine/click-limits/sql.js';
import { CLICK_LIMIT_WAITING_MAX } from '../../../shared/base/limits.js';

interface Question {
  readonly asked: readonly AskedClicks[];
  readonly answer: (rows: readonly GrantedClicks[]) => void;
  readonly fail: (error: Error) => void;
}

function startRounds() {
  const questions: Question[] = [];
  const rounds = new ClickRounds((asked) => new Promise((answer, fail) => void questions.push({ asked, answer, fail })));
  return { rounds, question: (index: number) => questions[index] ?? t.bailout('not asked'), questions };
}

const turn = () => new Promise(setImmediate);

t.test('the visitors who wait at the same time share one query', async (t) => {
  const { rounds, questions } = startRounds();
  const first = rounds.take('a');
  const [second, third, other] = [rounds.take('a'), rounds.take('a'), rounds.take('b')];
  t.same(questions[0]?.asked, [{ link_id: 'a', clicks: 1 }]);
  questions[0]?.answer([{ link_id: 'a', granted: 1 }]);
  t.equal(await first, true);
  await turn();
  t.same(questions[1]?.asked, [
    { link_id: 'a', clicks: 2 },
    { link_id: 'b', clicks: 1 },
  ]);
  questions[1]?.answer([{ link_id: 'a', granted: 1 }]);
  t.same(await Promise.all([second, third, other]), [true, false, true], 'a link without a row no longer has a limit');
});

t.test('a failed query is an error for its visitor, and the next round asks again', async (t) => {
  const { rounds, questions } = startRounds();
  const lost = rounds.take('a');
  questions[0]?.fail(new Error('away'));
  await t.rejects(lost, { message: 'away' });
  await turn();
  const found = rounds.take('a');
  questions[1]?.answer([{ link_id: 'a', granted: 1 }]);
  t.equal(await found, true);
});

t.test('more waiting visitors than the limit are refused', async (t) => {
  const { rounds, questions } = startRounds();
  const waiting = Array.from({ length: CLICK_LIMIT_WAITING_MAX }, () => rounds.take('a'));
  await t.rejects(rounds.take('a'), { message: 'too many visitors wait for their click' });
  questions[0]?.answer([]);
  await turn();
  questions[1]?.answer([]);
  await Promise.all(waiting);
  t.pass('all of the waiting visitors were answered');
});
