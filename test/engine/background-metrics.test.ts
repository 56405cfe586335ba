import { Registry } from 'prom-client';
import t from 'tap';
import { type BackgroundSources, diskOf, registerBackgroundMetrics } from '../../engine/background-metrics.js';
import { manualClock } from '../support/manual-clock.js';

type Stats<Name extends keyof BackgroundSources> = NonNullable<ReturnType<BackgroundSources[Name]>>;

const webhooks = (attempts: number): Stats<'webhooks'> => ({
  attempts_succeeded: attempts,
  attempts_failed: 1,
  in_flight: 2,
  queue_lag_ms: 1500,
  claim: { p50_ms: 1, p99_ms: 4 },
  outcomes_waiting: 0,
  endpoints_auto_disabled: 0,
  deliveries_abandoned: 0,
  deliveries_expired: 0,
  thread_failures: 0,
  secrets_unreadable: 0,
});

t.test('figures follow the stats of their part, in base units, and the stats are read once per page', async (t) => {
  const registry = new Registry();
  let attempts = 3;
  let reads = 0;
  const clock = manualClock(0);
  const sources: BackgroundSources = {
    sync: () => null,
    flusher: () => null,
    webhooks: () => {
      reads++;
      return webhooks(attempts);
    },
    previews: () => null,
    disk: () => null,
  };
  registerBackgroundMetrics(registry, sources, clock.now);
  const first = await registry.metrics();
  t.match(first, 'webhook_attempts_succeeded_total 3\n');
  t.match(first, 'webhook_queue_lag_seconds 1.5\n');
  t.equal(reads, 1);
  attempts = 5;
  clock.advance(101);
  t.match(
    await registry.metrics(),
    'webhook_attempts_succeeded_total 5\n',
    'a counter is set to the count of its part, not increased by it',
  );
});

t.test('a part that has not started yet shows no gauge, not even one of 0', async (t) => {
  const registry = new Registry();
  registerBackgroundMetrics(registry, {
    sync: () => null,
    flusher: () => null,
    webhooks: () => null,
    previews: () => null,
    disk: () => null,
  });
  const page = await registry.metrics();
  t.notMatch(page, /^config_sync_position /m);
  t.notMatch(page, /^click_spool_pending_bytes /m);
});

t.test('the disk of a folder is measured, and a folder that does not exist is left out', async (t) => {
  const disk = diskOf(t.testdir());
  t.ok(disk !== null && disk.free_bytes > 0 && disk.free_bytes <= disk.size_bytes, JSON.stringify(disk));
  t.equal(diskOf('/nowhere/at/all'), null);
});
