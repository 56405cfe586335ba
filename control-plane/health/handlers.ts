import type { PartHealth } from '../../shared/base/part-health.js';
import type { Operations } from '../http/operation.js';
import { readInstallation } from './readings.js';
import { serviceHealth } from './service.js';
import { readQueueDepth } from './sql.js';

export interface HealthDependencies {
  /** The parts of this process, as `/health/ready` of its admin port shows them. */
  readonly ready: () => Promise<readonly PartHealth[]>;
}

export function healthOperations({ ready }: HealthDependencies): Pick<Operations, 'getHealth'> {
  return {
    getHealth: {
      async handle({ caller }, database) {
        const parts = await ready();
        const readings = await readInstallation(database);
        return { body: serviceHealth(readings, parts, await readQueueDepth(database, caller.environment.id)) };
      },
    },
  };
}
