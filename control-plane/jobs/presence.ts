import { connectionShortage } from '../../shared/base/database-connections.js';
import type { Database } from '../db/database.js';
import type { Peers } from '../peers/peers.js';
import { beatControlPlane, forgetControlPlane, leaveControlPlanes, readConnectionDemand } from '../peers/sql.js';
import { createPeriodicJob, type JobSurroundings, type PeriodicJob } from './periodic.js';

interface PresenceOptions extends JobSurroundings {
  readonly database: Database;
  readonly peers: Peers;
  /** Maximum number of connections to PostgreSQL that this control plane opens. */
  readonly connections: number;
}

const INTERVAL_MS = 2_000;
const OVERDUE_MS = 60_000;

/** Updates the row by which control planes know how many they are. Warns once if the server does not allow the connections of all. */
export function createPresence(options: PresenceOptions): PeriodicJob {
  const { database, peers, connections, log, clock, intervalMs = INTERVAL_MS } = options;
  let demandIsKnown = false;
  return createPeriodicJob({
    part: 'presence',
    async round() {
      for (const row of peers.observe(await beatControlPlane(database, peers.id, connections))) await forgetControlPlane(database, row);
      if (demandIsKnown) return;
      const shortage = connectionShortage(await readConnectionDemand(database));
      if (shortage !== null) log.warn({ code: 'connections_short' }, shortage);
      demandIsKnown = true;
    },
    intervalMs,
    overdueMs: OVERDUE_MS,
    overdueReason: 'the number of control planes that share the limits of keys is unknown',
    // If this fails, the others find out by themselves.
    atEnd: () => leaveControlPlanes(database, peers.id),
    log,
    clock,
  });
}
