import { Registry } from 'prom-client';
import t from 'tap';
import { collectCounter, collectGauge } from '../../../engine/processes/collected-metrics.js';

t.test('a collected counter has the value that its owner counted, however often it is read', async (t) => {
  const registry = new Registry();
  let count = 3;
  collectCounter(registry, { name: 'asked_total', help: 'Asked', label: 'result' }, (set) => {
    set('yes', count);
    set('no', 0);
  });
  collectCounter(registry, { name: 'plain_total', help: 'Plain' }, (set) => set('', count));
  collectGauge(registry, { name: 'level', help: 'Level' }, () => -count);
  await registry.metrics();
  count = 5;
  const text = await registry.metrics();
  for (const line of ['asked_total{result="yes"} 5', 'asked_total{result="no"} 0', 'plain_total 5', 'level -5']) t.match(text, `${line}\n`);
});
