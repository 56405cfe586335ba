import t from 'tap';
import { hasPair } from '../support/postgres-pair.js';
import { failovers } from './failovers.js';

const LOSSES = ['crash', 'host', 'crash', 'switchover', 'crash', 'host', 'crash', 'switchover', 'crash', 'host'] as const;

if (hasPair(t)) {
  t.test('ten failovers under load lose no acknowledged link, no click and no event, where commits wait for the standby', (t) =>
    failovers(t, { losses: LOSSES, synchronous: true }),
  );

  t.test('ten failovers under load lose no click, and no link but those that the standby was kept from, where commits do not wait', (t) =>
    failovers(t, { losses: LOSSES, synchronous: false }),
  );
}
