import { setTimeout as delay } from 'node:timers/promises';
import { Registry } from 'prom-client';
import t from 'tap';
import { collectProcessMetrics } from '../../../shared/base/process-metrics.js';

const FIGURES = ['min', 'max', 'mean', 'stddev', 'p50', 'p90', 'p99'];

t.test('the delays of the event loop are delays alone, since the last collection', async (t) => {
  const registry = new Registry();
  collectProcessMetrics(registry);
  const lag = async (figure: string, text?: string) => {
    text ??= await registry.metrics();
    return Number(new RegExp(`^nodejs_eventloop_lag_${figure}_seconds (\\S+)$`, 'm').exec(text)?.[1]);
  };
  await delay(300);
  t.ok((await lag('min')) < 0.04, 'the interval of the measurement is not part of it');
  const until = performance.now() + 1_000;
  while (performance.now() < until);
  await delay(120);
  const text = await registry.metrics();
  const longest = await lag('max', text);
  t.ok((await lag('p99', text)) > 0.9, 'of so few delays, the longest is the 99th percentile');
  t.ok(longest > 0.9, `${longest} s for 1 s`);
  await delay(300);
  t.ok((await lag('max')) < 0.9, 'it was measured before the last collection');
});

t.test('each figure of the event loop is registered once, beside the other figures of prom-client', async (t) => {
  const registry = new Registry();
  collectProcessMetrics(registry);
  await delay(120);
  const text = await registry.metrics();
  for (const figure of FIGURES) t.equal(text.split(`\nnodejs_eventloop_lag_${figure}_seconds `).length, 2, figure);
  for (const name of [
    'process_cpu_seconds_total',
    'process_resident_memory_bytes',
    'nodejs_eventloop_lag_seconds',
    'nodejs_gc_duration_seconds',
  ])
    t.match(text, `# HELP ${name} `);
});
