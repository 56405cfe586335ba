import t from 'tap';
import { type FoundLinks, PathRounds, type PathVisitor } from '../../../engine/read-through/path-rounds.js';
import { InvariantError } from '../../../shared/base/invariant.js';

const visitor: PathVisitor = { answered: () => undefined, failed: () => undefined };
const turn = () => new Promise((resolve) => setImmediate(resolve));

t.test('a timer that fires twice begins no second round beside the first', async (t) => {
  const due: (() => void)[] = [];
  const answers: ((found: FoundLinks) => void)[] = [];
  const rounds = new PathRounds({
    lookUp: () => new Promise((resolve) => answers.push(resolve)),
    schedule: (_milliseconds, run) => {
      due.push(run);
      return () => undefined;
    },
    now: () => 0,
  });
  rounds.join('a', 'env_1', '/a', visitor);
  answers[0]?.(new Map());
  await turn();
  t.equal(due.length, 1, 'a pause after the first round');
  rounds.join('b', 'env_1', '/b', visitor);
  due[0]?.();
  rounds.join('c', 'env_1', '/c', visitor);
  t.throws(() => due[0]?.(), new InvariantError("the rounds of questions cannot go from 'asking' to 'asking'"));
  t.equal(answers.length, 2);
});
