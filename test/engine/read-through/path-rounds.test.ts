import t from 'tap';
import { type FoundLinks, PathRounds, type PathVisitor } from '../../../engine/read-through/path-rounds.js';
import { InvariantError } from '../../../shared/base/invariant.js';
import { linkRecord } from '../fixtures.js';

const visitor: PathVisitor = { answered: () => undefined, failed: () => undefined };
const turn = () => new Promise((resolve) => setImmediate(resolve));

t.test('a timer that fires twice does not begin a second round beside the first', async (t) => {
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

for (const outcome of ['answered', 'failed'] as const)
  t.test(`many paths are ${outcome} a few per turn, between other visitors, and found links come first`, async (t) => {
    const due: (() => void)[] = [];
    const lookUps: { readonly resolve: (found: FoundLinks) => void; readonly reject: (error: Error) => void }[] = [];
    const rounds = new PathRounds({
      lookUp: () => new Promise((resolve, reject) => lookUps.push({ resolve, reject })),
      schedule: (_milliseconds, run) => {
        due.push(run);
        return () => undefined;
      },
      now: () => 0,
    });
    const settled: string[] = [];
    const join = (key: string) =>
      rounds.join(key, 'env_1', key, { answered: () => settled.push(key), failed: () => settled.push(key) } satisfies PathVisitor);
    join('first');
    for (let number = 0; number < 100; number++) join(`missing-${number}`);
    join('new');
    lookUps[0]?.resolve(new Map());
    await turn();
    due[0]?.();
    settled.length = 0;
    if (outcome === 'answered') lookUps[1]?.resolve(new Map([['new', linkRecord()]]));
    else lookUps[1]?.reject(new Error('away'));
    const byTurn: number[] = [];
    for (let number = 0; settled.length < 101; number++) {
      await turn();
      byTurn.push(settled.length - byTurn.reduce((sum, count) => sum + count, 0));
      if (number > 20) break;
    }
    t.equal(new Set(settled).size, 101, 'each of them is settled once');
    t.ok(Math.max(...byTurn) <= 32, `in each turn: ${byTurn.join(', ')}`);
    if (outcome === 'answered') t.equal(settled[0], 'new');
    t.equal(due.length, 2, 'the next round comes after them');
  });
