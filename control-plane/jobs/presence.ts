import type { Clock } from '../../shared/base/clock.js';
import { connectionShortage } from '../../shared/base/database-connections.js';
import type { Logger } from '../../shared/base/log.js';
import { type Database, DatabaseUnavailableError } from '../db/database.js';
import type { Peers } from '../peers/peers.js';
import { beatControlPlane, forgetControlPlane, leaveControlPlanes, readConnectionDemand } from '../peers/sql.js';
import { createPeriodicJob, type PeriodicJob } from './periodic.js';

export interface PresenceOptions {
  readonly database: Database;
  readonly peers: Peers;
  /** The connections to PostgreSQL that it may open. */
  readonly connections: number;
  readonly log: Logger;
  readonly clock: Clock;
  readonly intervalMs?: number;
}

const INTERVAL_MS = 2_000;
const OVERDUE_MS = 60_000;

/** Keeps the row by which control planes know how many they are, and says once if the server does not take the connections of all. */
export function createPresence(options: PresenceOptions): PeriodicJob {
  const { database, peers, connections, log, clock, intervalMs = INTERVAL_MS } = options;
  let demandIsKnown = false;
  const job = createPeriodicJob({
    part: 'presence',
    async round() {
      for (const row of peers.observe(await beatControlPlane(database, peers.id, connections))) await forgetControlPlane(database, row);
      if (demandIsKnown) return;
      const shortage = connectionShortage(await readConnectionDemand(database));
      if (shortage !== null) log.warn({ code: 'connections_short' }, shortage);
      demandIsKnown = true;
    },
    intervalMs,
    retryMs: intervalMs,
    overdueMs: OVERDUE_MS,
    overdueReason: 'how many control planes share the limits of keys is not known any more',
    log,
    clock,
  });
  return {
    ...job,
    async stop() {
      await job.stop();
      try {
        await leaveControlPlanes(database, peers.id);
      } catch (error) {
        // The others find out by themselves.
        if (!(error instanceof DatabaseUnavailableError)) throw error;
      }
    },
  };
}
