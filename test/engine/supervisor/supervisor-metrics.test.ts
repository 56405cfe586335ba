import t from 'tap';
import type { ListenerProbe } from '../../../engine/supervisor/listener-probe.js';
import type { Supervisor } from '../../../engine/supervisor/supervisor.js';
import { probeMetrics, supervisorMetrics } from '../../../engine/supervisor/supervisor-metrics.js';

t.test('the metrics of the supervisor show the roles of the host, and the restarts and the state of each process', async (t) => {
  const processes = [
    { name: 'redirect-0', restarts: 2, mode: 'serving', silent_ms: 100 },
    { name: 'background', restarts: 0, mode: 'serving', silent_ms: null },
  ];
  const supervisor = { status: () => processes } as unknown as Supervisor;
  t.match(supervisorMetrics(supervisor, ['redirect', 'background']), [
    {
      name: 'engine_role',
      values: [
        { value: 1, labels: { role: 'redirect' } },
        { value: 1, labels: { role: 'background' } },
      ],
    },
    {
      name: 'engine_process_restarts_total',
      values: [
        { value: 2, labels: { slot: 'redirect-0' } },
        { value: 0, labels: { slot: 'background' } },
      ],
    },
    {
      name: 'engine_process_serving',
      values: [
        { value: 1, labels: { slot: 'redirect-0' } },
        { value: 0, labels: { slot: 'background' } },
      ],
    },
  ]);
});

t.test('the metrics of the probe are a histogram of its durations and a count of its failures', async (t) => {
  const probe = {
    stats: () => ({ probes: 3, failures: 1, seconds: 5.02 }),
    histogram: () => [
      { le: 0.05, probes: 2 },
      { le: '+Inf', probes: 3 },
    ],
  } as unknown as ListenerProbe;
  t.match(probeMetrics(probe), [
    {
      name: 'link_host_probe_duration_seconds',
      values: [
        { metricName: 'link_host_probe_duration_seconds_bucket', labels: { le: 0.05 }, value: 2 },
        { metricName: 'link_host_probe_duration_seconds_bucket', labels: { le: '+Inf' }, value: 3 },
        { metricName: 'link_host_probe_duration_seconds_sum', value: 5.02 },
        { metricName: 'link_host_probe_duration_seconds_count', value: 3 },
      ],
    },
    { name: 'link_host_probe_failures_total', values: [{ value: 1 }] },
  ]);
});
