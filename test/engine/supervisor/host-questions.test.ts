import t from 'tap';
import type { HostAnswer, SupervisorMessage } from '../../../engine/processes/messages.js';
import { HostQuestions, WITNESS_MS } from '../../../engine/supervisor/host-questions.js';
import { HOST_QUESTIONS_MAX } from '../../../shared/base/limits.js';
import { manualTimers } from '../../support/manual-scheduler.js';

/** Processes with the given answers; null means that the process does not answer. */
function setUp(answers: readonly (HostAnswer | null)[]) {
  const timers = manualTimers();
  const asked: number[] = [];
  const late: (() => void)[] = [];
  const questions: HostQuestions = new HostQuestions({
    schedule: timers.schedule,
    witnesses: () =>
      answers.map((answer, witness) => ({
        send(message: SupervisorMessage) {
          if (message.type !== 'host_question') return;
          asked.push(witness);
          const { question } = message;
          if (answer === null) late.push(() => questions.onAnswer({ type: 'host_answer', question, answer: 'known' }));
          else queueMicrotask(() => questions.onAnswer({ type: 'host_answer', question, answer }));
        },
      })),
  });
  return { questions, timers, asked, late };
}

const turn = () => new Promise(setImmediate);

t.test('the first process that answers yes or no decides, and no other is asked', async (t) => {
  for (const answer of ['known', 'unknown'] as const) {
    const { questions, asked, timers } = setUp([answer, null]);
    t.equal(await questions.ask('a.example'), answer);
    t.same([asked, timers.count()], [[0], 0]);
  }
});

t.test('after a process that hangs or has an incomplete table the next one is asked', async (t) => {
  const { questions, timers, asked } = setUp([null, 'uncertain', 'known']);
  const answer = questions.ask('a.example');
  timers.advance(WITNESS_MS);
  t.equal(await answer, 'known');
  t.same(asked, [0, 1, 2]);
});

t.test('if no process can answer, the answer is uncertain, and late answers change nothing', async (t) => {
  const { questions, timers, late } = setUp([null]);
  const answer = questions.ask('a.example');
  timers.advance(WITNESS_MS);
  t.equal(await answer, 'uncertain');
  for (const answerLate of late) answerLate();
  t.equal(await setUp([]).questions.ask('a.example'), 'uncertain');
});

t.test('the number of waiting questions is limited', async (t) => {
  const { questions, timers, asked } = setUp([null]);
  const waiting = Array.from({ length: HOST_QUESTIONS_MAX }, () => questions.ask('a.example'));
  await turn();
  t.equal(await questions.ask('b.example'), 'uncertain', 'one more question is refused at once');
  t.equal(asked.length, HOST_QUESTIONS_MAX);
  timers.advance(WITNESS_MS);
  t.ok((await Promise.all(waiting)).every((answer) => answer === 'uncertain'));
});
