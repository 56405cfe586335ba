import t from 'tap';
import { enumeration } from './enumeration-scenario.js';

// The bound compares unknown paths with known ones. If clients, service and PostgreSQL share two cores, 12,000 requests a second
// of any kind make everybody wait.
t.test(
  'beside 12,000 unknown paths a second 300 new links redirect at once, and visitors wait less than 1.5 times as long as beside known paths (promise R20)',
  async (t) => {
    const { alone, besideKnown, besideUnknown } = await enumeration(t, { links: 300, perSecond: 12_000, rounds: 7, roundMs: 3000 });
    const times = (besideUnknown / besideKnown).toFixed(2);
    t.ok(
      besideUnknown < 1.5 * besideKnown,
      `p99 beside unknown paths is ${besideUnknown.toFixed(2)} ms, ${times} times that beside known ones; alone ${alone.toFixed(2)} ms`,
    );
  },
);
