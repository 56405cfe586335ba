import t from 'tap';
import type { Measurement } from '../../bench/load/measure.js';
import { spreadOf } from '../../bench/load/statistics.js';
import { barChart, redirectPlots } from '../../bench/report/plot.js';
import { targetTableOf } from '../../bench/report/table.js';
import { targetOutcomes } from '../../bench/report/targets.js';

function measured(key: string, rates: readonly number[], scenario = '64 connections'): Measurement {
  const cpu_us = rates.map((rate) => 1e6 / rate);
  return {
    key,
    contender: `server <${key}>`,
    scenario,
    client: 'wrk',
    requests_per_second: spreadOf(rates),
    rates,
    cpu_us,
    cpu_us_per_request: spreadOf(cpu_us),
    p50_ms: spreadOf([1]),
    p99_ms: spreadOf([2]),
    rate_ratio: spreadOf([1]),
    failures: 0,
    memory: { resident_mb: 1, private_mb: 1 },
    invalid: null,
  };
}

t.test('a target is judged by the ratios of the rounds, and only if both servers have valid results', async (t) => {
  const rows = [
    measured('header', [110, 240, 90]),
    measured('nginx-map', [100, 200, 100]),
    { ...measured('bare', [200]), invalid: 'failed' },
  ];
  const outcomes = targetOutcomes(rows, 'AMD EPYC');
  t.equal(outcomes.length, 1);
  t.match(outcomes[0], { least: 1, rate_ratio: { median: 1.1, min: 0.9, max: 1.2 } });
  t.match(targetTableOf(outcomes), '1.10  (0.90 to 1.20)');
  t.match(targetOutcomes(rows, 'Intel(R) Xeon(R)')[0], { least: 0.85 }, 'nginx is faster on that processor');
});

t.test('a chart shows every server with valid results, with escaped names', async (t) => {
  const plots = redirectPlots([measured('a', [100, 300, 200]), { ...measured('b', [1]), invalid: 'failed' }]);
  t.same([...plots.keys()], ['redirect-cpu-64-connections-wrk.svg', 'redirect-rate-64-connections-wrk.svg']);
  const rate = plots.get('redirect-rate-64-connections-wrk.svg') as string;
  t.match(rate, /server &[^;]+;a&/);
  t.notMatch(rate, /server &[^;]+;b&/);
  t.match(barChart('T', [{ label: 'x', value: { median: 5, min: 5, max: 10 } }], 1), /width="185.0"[\s\S]*>5\.0</);
});
