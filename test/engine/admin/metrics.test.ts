import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import t from 'tap';
import { MetricsPage } from '../../../engine/admin/metrics.js';

/** A process's registry. Its metrics are converted to JSON and back, as the IPC channel does. */
function processMetrics() {
  const registry = new Registry();
  const clicks = new Counter({ name: 'clicks_total', help: 'Clicks', labelNames: ['outcome'], registers: [registry] });
  const sockets = new Gauge({ name: 'sockets', help: 'Open sockets', registers: [registry] });
  const seconds = new Histogram({ name: 'seconds', help: 'Time', buckets: [0.1, 1], registers: [registry] });
  return { clicks, sockets, seconds, json: async () => JSON.parse(JSON.stringify(await registry.getMetricsAsJSON())) };
}

function lineOf(page: MetricsPage, series: string): string | undefined {
  return page
    .render()
    .split('\n')
    .find((line) => line.startsWith(`${series} `))
    ?.slice(series.length + 1);
}

t.test('what an ended process counted is neither lost nor counted twice', async (t) => {
  const page = new MetricsPage();
  const old = processMetrics();
  old.clicks.inc({ outcome: 'stored' }, 5);
  old.seconds.observe(0.5);
  page.report('redirect-0', 11, await old.json());
  old.clicks.inc({ outcome: 'stored' }, 2);
  page.report('redirect-0', 11, await old.json());
  const series = 'clicks_total{outcome="stored",process="redirect-0"}';
  t.equal(lineOf(page, series), '7', 'a report replaces the previous one');
  page.retire('redirect-0', 11);
  page.retire('redirect-0', 11);
  t.equal(lineOf(page, series), '7', 'the end of a process is counted once');
  const young = processMetrics();
  young.clicks.inc({ outcome: 'stored' }, 1);
  young.seconds.observe(0.05);
  page.report('redirect-0', 12, await young.json());
  t.equal(lineOf(page, series), '8');
  t.equal(lineOf(page, 'seconds_bucket{le="0.1",process="redirect-0"}'), '1');
  t.equal(lineOf(page, 'seconds_bucket{le="+Inf",process="redirect-0"}'), '2');
  t.equal(lineOf(page, 'seconds_count{process="redirect-0"}'), '2');
});

t.test('while a process replaces another, their counts are added and the gauge is that of the newer one', async (t) => {
  const page = new MetricsPage();
  const old = processMetrics();
  const young = processMetrics();
  old.clicks.inc({ outcome: 'stored' }, 5);
  old.sockets.set(40);
  young.clicks.inc({ outcome: 'stored' }, 3);
  young.sockets.set(2);
  page.report('redirect-0', 11, await old.json());
  page.report('redirect-0', 12, await young.json());
  page.report('redirect-0', 11, await old.json());
  t.equal(lineOf(page, 'clicks_total{outcome="stored",process="redirect-0"}'), '8');
  t.equal(lineOf(page, 'sockets{process="redirect-0"}'), '2');
});

t.test('the gauges of a process disappear when it ends', async (t) => {
  const page = new MetricsPage();
  const only = processMetrics();
  only.sockets.set(40);
  page.report('redirect-0', 11, await only.json());
  page.retire('redirect-0', 11);
  t.equal(lineOf(page, 'sockets{process="redirect-0"}'), undefined);
});

t.test('the values of each process have a label of their own, and each metric is described once', async (t) => {
  const page = new MetricsPage();
  for (const [index, process] of ['redirect-0', 'redirect-1'].entries()) {
    const metrics = processMetrics();
    metrics.clicks.inc({ outcome: 'a "quoted"\\\n text' }, index + 1);
    page.report(process, index, await metrics.json());
  }
  const text = page.render();
  t.equal(text.split('\n').filter((line) => line === '# TYPE clicks_total counter').length, 1);
  t.match(text, 'clicks_total{outcome="a \\"quoted\\"\\\\\\n text",process="redirect-0"} 1\n');
  t.match(text, 'clicks_total{outcome="a \\"quoted\\"\\\\\\n text",process="redirect-1"} 2\n');
  t.ok(text.endsWith('\n'));
});

t.test('a malformed report is left out, and a report with a broken value loses only that value', async (t) => {
  const page = new MetricsPage();
  for (const report of [
    undefined,
    null,
    'text',
    7,
    [],
    [null],
    [{ name: 'x' }],
    [{ name: 'x', values: [null, { value: null, labels: {} }] }],
  ])
    page.report('redirect-0', 1, report);
  t.equal(page.render(), '\n');
  page.report('redirect-0', 1, [
    {
      name: 'x',
      help: 'X',
      type: 'gauge',
      values: [
        { value: null, labels: {} },
        { value: 4, labels: { a: 1 } },
      ],
    },
  ]);
  t.equal(page.render(), '# HELP x X\n# TYPE x gauge\nx{a="1",process="redirect-0"} 4\n');
});
