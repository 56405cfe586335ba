import t from 'tap';
import { InvariantError } from '../../../shared/base/invariant.js';
import { assertTransition, type Predecessors } from '../../../shared/base/transitions.js';

type Door = 'open' | 'closed' | 'locked';

const PREDECESSORS: Predecessors<Door> = { open: ['closed'], closed: ['open', 'locked'], locked: ['closed', 'locked'] };

t.test('an allowed transition passes, and another one is an error that names both states', async (t) => {
  for (const [from, to] of [
    ['closed', 'open'],
    ['open', 'closed'],
    ['locked', 'locked'],
  ] as const)
    t.doesNotThrow(() => assertTransition('the door', PREDECESSORS, from, to));
  t.throws(
    () => assertTransition('the door', PREDECESSORS, 'open', 'locked'),
    new InvariantError("the door cannot go from 'open' to 'locked'"),
  );
  t.throws(
    () => assertTransition('the door', PREDECESSORS, 'open', 'open'),
    InvariantError,
    'a state can follow itself only if the table says so',
  );
});
