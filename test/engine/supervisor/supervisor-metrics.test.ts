import t from 'tap';
import type { Supervisor } from '../../../engine/supervisor/supervisor.js';
import { supervisorMetrics } from '../../../engine/supervisor/supervisor-metrics.js';

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
