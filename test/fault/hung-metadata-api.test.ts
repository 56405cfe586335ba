import t from 'tap';
import { visitorsBesideBots } from './preview-scenarios.js';

// Compared with bots whose API answers, because clients, API and service share two cores, where even fifty such bots a second
// slow visitors down.
t.test('an API that never answers slows visitors at most 5 % more than one that answers (promise R2)', async (t) => {
  const { alone, besideAnswered, besideHung } = await visitorsBesideBots(t, { rounds: 15, roundMs: 3000 });
  const ratio = (besideHung / besideAnswered).toFixed(3);
  const waits = `p99 of visitors ${besideHung.toFixed(2)} ms, ${ratio} of that beside bots whose API answers; alone ${alone.toFixed(2)} ms`;
  t.ok(besideHung < 1.05 * besideAnswered, waits);
  t.comment(waits);
});
