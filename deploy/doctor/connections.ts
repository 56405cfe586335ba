import { availableParallelism } from 'node:os';
import { controlPlaneSettings } from '../../control-plane/settings.js';
import { engineSettings, profileOf } from '../../engine/settings.js';
import { controlPlaneConnections, type LivingProcesses } from '../../shared/base/database-connections.js';
import { settingOf } from './settings.js';

/** The most connections that the engines, or the control planes, open. */
export interface OpenedConnections {
  readonly processes: number;
  readonly connections: number;
  /** The connections of the process that opens the most. */
  readonly largest: number;
}

/** The connections that a control plane and an engine with these settings would open. */
export function connectionsBySettings(environment: NodeJS.ProcessEnv): Readonly<Record<LivingProcesses['half'], number>> {
  const databasePoolUrl = settingOf(controlPlaneSettings.databasePoolUrl, environment);
  const engine = profileOf({
    roles: settingOf(engineSettings.roles, environment),
    processes: settingOf(engineSettings.processes, environment) || availableParallelism(),
    databasePoolUrl,
    queueDatabaseUrl: settingOf(engineSettings.queueDatabaseUrl, environment),
  });
  return {
    engines: engine.connections,
    control_planes: controlPlaneConnections(settingOf(controlPlaneSettings.databaseConnections, environment), databasePoolUrl !== ''),
  };
}

/**
 * The connections of the running processes, as they report them, or of the given number of processes with these settings. If none is
 * running yet, one is counted.
 */
export function openedConnections(
  living: LivingProcesses | undefined,
  { asked, each }: { readonly asked: number | null; readonly each: number },
): OpenedConnections {
  if (asked !== null || living === undefined) return { processes: asked ?? 1, connections: (asked ?? 1) * each, largest: each };
  const { processes, connections, largest, unsaid } = living;
  return { processes, connections: connections + unsaid * each, largest: unsaid > 0 ? Math.max(largest, each) : largest };
}
