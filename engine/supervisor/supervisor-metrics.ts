import type { ListenerProbe } from './listener-probe.js';
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

const PROBE_DURATION = 'link_host_probe_duration_seconds';

/** Returns the metrics of the probe, in the same form. */
export function probeMetrics(probe: ListenerProbe): readonly unknown[] {
  const { probes, failures, seconds } = probe.stats();
  return [
    {
      name: PROBE_DURATION,
      help: 'Duration of the request that the host sends to its own link hosts once a second, from connecting to the response',
      type: 'histogram',
      values: [
        ...probe.histogram().map(({ le, probes }) => ({ metricName: `${PROBE_DURATION}_bucket`, labels: { le }, value: probes })),
        { metricName: `${PROBE_DURATION}_sum`, labels: {}, value: seconds },
        { metricName: `${PROBE_DURATION}_count`, labels: {}, value: probes },
      ],
    },
    {
      name: 'link_host_probe_failures_total',
      help: 'Requests of the probe that were refused, closed without a response, or not answered within five seconds',
      type: 'counter',
      values: [{ labels: {}, value: failures }],
    },
  ];
}
