import t from 'tap';
import { ENGINE_ENDS, POSTGRES_STOPS, WEBHOOKS_FAIL } from '../fault/alert-faults.js';
import { calmAtFirst, raisesAndClears, startWatched } from '../fault/alert-scenarios.js';
import { hasProgram } from '../support/programs.js';

// The short form of test/fault/alerts.test.ts.
t.test('alerts fire in a running Prometheus when an engine, a receiver or PostgreSQL fails, and clear once it works again', async (t) => {
  if (!hasProgram(t, 'prometheus')) return;
  const watched = await startWatched(t, { seconds: 4 });
  await calmAtFirst(t, watched);
  await raisesAndClears(t, watched, [WEBHOOKS_FAIL, ENGINE_ENDS]);
  await raisesAndClears(t, watched, [POSTGRES_STOPS]);
});
