import { Registry } from 'prom-client';
import t from 'tap';
import { counter, counters, gauge, type Metric, registerMetrics } from '../../../engine/processes/collected-metrics.js';

const TABLE: readonly Metric<number>[] = [
  counters('asked_total', 'Asked', 'result', (count) => ({ yes: count, no: 0 })),
  counter('plain_total', 'Plain', (count) => count),
  gauge('level', 'Level', (count) => -count),
  gauge('unknown', 'Unknown', () => null),
];

t.test('a metric has the value that its owner counted, however often it is read', async (t) => {
  const registry = new Registry();
  let count: number | null = 3;
  registerMetrics(registry, TABLE, () => count);
  await registry.metrics();
  count = 5;
  const text = await registry.metrics();
  for (const line of ['asked_total{result="yes"} 5', 'asked_total{result="no"} 0', 'plain_total 5', 'level -5']) t.match(text, `${line}\n`);
  t.notMatch(text, /^unknown /m, 'a gauge without a figure has no series');
  count = null;
  t.notMatch(await registry.metrics(), /^level /m);
});
