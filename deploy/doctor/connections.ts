import { availableParallelism } from 'node:os';
import { controlPlaneSettings } from '../../control-plane/settings.js';
import { dutiesOf, engineSettings } from '../../engine/settings.js';
import { controlPlaneConnections, type LivingProcesses } from '../../shared/base/database-connections.js';
import { settingOf } from './settings.js';

/** The connections that processes of one half open at most. */
export interface OpenedConnections {
  readonly processes: number;
  readonly connections: number;
  /** Of one process. */
  readonly largest: number;
}

/** What a control plane and an engine with these settings would open. */
export function connectionsBySettings(environment: NodeJS.ProcessEnv): Readonly<Record<LivingProcesses['half'], number>> {
  const databasePoolUrl = settingOf(controlPlaneSettings.databasePoolUrl, environment);
  const engine = dutiesOf({
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

/** Of those that live as they say, or of as many as were asked about, with these settings. If none lives yet, one is counted. */
export function openedConnections(
  living: LivingProcesses | undefined,
  { asked, each }: { readonly asked: number | null; readonly each: number },
): OpenedConnections {
  if (asked !== null || living === undefined) return { processes: asked ?? 1, connections: (asked ?? 1) * each, largest: each };
  const { processes, connections, largest, unsaid } = living;
  return { processes, connections: connections + unsaid * each, largest: unsaid > 0 ? Math.max(largest, each) : largest };
}
