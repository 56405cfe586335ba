import type { BeatRow } from '../../shared/base/beats.js';
import { CONNECTION_DEMAND_QUERY, type ConnectionDemand } from '../../shared/base/database-connections.js';
import type { Queryable } from '../db/database.js';

export type ControlPlaneRow = BeatRow;

/** Records that the control plane is alive. Returns the rows of all control planes, in order of id. */
export async function beatControlPlane(database: Queryable, id: string, connections: number): Promise<readonly ControlPlaneRow[]> {
  await database.query({
    name: 'beat_control_plane',
    text: `INSERT INTO control_planes AS own (id, connections) VALUES ($1, $2)
           ON CONFLICT (id) DO UPDATE SET beat = own.beat + 1`,
    values: [id, connections],
  });
  const { rows } = await database.query<ControlPlaneRow>({
    name: 'read_control_planes',
    text: 'SELECT id, beat::text AS beat FROM control_planes ORDER BY id',
    values: [],
  });
  return rows;
}

/** Removes the row of a control plane that ended without removing it, if it has not changed since it was read. */
export async function forgetControlPlane(database: Queryable, { id, beat }: ControlPlaneRow): Promise<void> {
  await database.query({
    name: 'forget_control_plane',
    text: 'DELETE FROM control_planes WHERE id = $1 AND beat = $2',
    values: [id, beat],
  });
}

/** Removes this control plane's row. */
export async function leaveControlPlanes(database: Queryable, id: string): Promise<void> {
  await database.query({ text: 'DELETE FROM control_planes WHERE id = $1', values: [id] });
}

export async function readConnectionDemand(database: Queryable): Promise<ConnectionDemand> {
  const { rows } = await database.query<ConnectionDemand>({ text: CONNECTION_DEMAND_QUERY, values: [] });
  return rows[0] as ConnectionDemand;
}
