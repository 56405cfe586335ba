import { pino } from 'pino';
import { Registry } from 'prom-client';
import t from 'tap';
import { registerJobMetrics } from '../../../control-plane/health/job-metrics.js';
import { createPeriodicJob } from '../../../control-plane/jobs/periodic.js';
import { until } from '../../support/until.js';

t.test('the rounds of each job are counted by outcome, as they are when the page is read', async (t) => {
  let fails = true;
  const options = { intervalMs: 1, overdueMs: 60_000, overdueReason: '', log: pino({ level: 'silent' }), clock: Date.now };
  const job = createPeriodicJob({
    ...options,
    part: 'sweeping',
    async round() {
      if (fails) throw new Error('failed');
    },
  });
  const idle = createPeriodicJob({ ...options, part: 'idle', round: async () => {} });
  const registry = new Registry();
  registerJobMetrics(registry, [job, idle]);
  const of = async (part: string, outcome: string) => {
    const series = (await registry.getMetricsAsJSON())[0]?.values.find(({ labels }) => labels.part === part && labels.outcome === outcome);
    return series?.value as number;
  };
  job.start();
  await until(async () => (await of('sweeping', 'failed')) >= 2, 'failures');
  t.equal(await of('sweeping', 'done'), 0);
  fails = false;
  await until(async () => (await of('sweeping', 'done')) >= 2, 'rounds');
  await job.stop();
  t.same([await of('sweeping', 'done'), await of('sweeping', 'failed')], [job.stats().rounds, job.stats().failures]);
  t.same([await of('idle', 'done'), await of('idle', 'failed')], [0, 0]);
});
