import { serves } from './readiness.js';
import type { Supervisor } from './supervisor.js';

/** Returns the supervisor's own metrics, in the form in which its children report theirs. */
export function supervisorMetrics(supervisor: Supervisor, roles: readonly string[]): readonly unknown[] {
  const processes = supervisor.status();
  return [
    {
      name: 'engine_role',
      help: 'What the host does for the installation (ENGINE_ROLES)',
      type: 'gauge',
      values: roles.map((role) => ({ value: 1, labels: { role } })),
    },
    {
      name: 'engine_process_restarts_total',
      help: 'Processes started because their predecessor ended unexpectedly',
      type: 'counter',
      values: processes.map(({ name, restarts }) => ({ value: restarts, labels: { slot: name } })),
    },
    {
      name: 'engine_process_serving',
      help: 'Whether the process is serving and reporting',
      type: 'gauge',
      values: processes.map((status) => ({ value: serves(status) ? 1 : 0, labels: { slot: status.name } })),
    },
  ];
}
