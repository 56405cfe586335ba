import t from 'tap';
import { hasPair } from '../support/postgres-pair.js';
import { failovers } from './failovers.js';

const LOSSES = ['crash', 'host', 'crash', 'switchover', 'crash', 'host', 'crash', 'switchover', 'crash', 'host'] as const;

if (hasPair(t)) {
  t.test('with synchronous commits ten failovers under load lose no acknowledged link, no click and no event', (t) =>
    failovers(t, { losses: LOSSES, synchronous: true }),
  );

  t.test('with asynchronous commits ten failovers under load lose no click, and only links that had not reached the standby', (t) =>
    failovers(t, { losses: LOSSES, synchronous: false }),
  );
}
