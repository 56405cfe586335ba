import type { PartHealth } from '../http/admin.js';
import type { Operations } from '../http/operation.js';
import { healthOf, SILENT_AFTER_SECONDS } from './health.js';
import * as sql from './sql.js';

export interface HealthDependencies {
  /** Of this process, as `/health/ready` of its admin port says it. */
  readonly ready: () => Promise<readonly PartHealth[]>;
}

export function healthOperations({ ready }: HealthDependencies): Pick<Operations, 'getHealth'> {
  return {
    getHealth: {
      async handle({ caller, nowMs }, database) {
        const parts = (await ready()).map(({ part, ok }) => ({ part, ok }));
        const feed = await sql.readFeedHead(database);
        const engines = await sql.readEngineHealth(database, SILENT_AFTER_SECONDS);
        const queue = await sql.readQueueDepth(database, caller.environment.id);
        return { body: healthOf({ nowMs, parts, feed, engines, queue }) };
      },
    },
  };
}
