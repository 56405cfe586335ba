import { Counter, type Registry } from 'prom-client';
import type { PeriodicJob } from '../jobs/periodic.js';

/** Registers how often the periodic jobs of this process ran. Jobs that it does not start have series of 0. */
export function registerJobMetrics(registry: Registry, jobs: readonly Pick<PeriodicJob, 'stats' | 'health'>[]): void {
  new Counter({
    name: 'job_rounds_total',
    help: 'Rounds of the periodic jobs of this control plane by outcome (`done`, `failed`)',
    labelNames: ['part', 'outcome'],
    registers: [registry],
    collect() {
      this.reset();
      for (const job of jobs) {
        const { part } = job.health();
        const { rounds, failures } = job.stats();
        this.inc({ part, outcome: 'done' }, rounds);
        this.inc({ part, outcome: 'failed' }, failures);
      }
    },
  });
}
