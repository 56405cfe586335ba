import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { parse } from 'yaml';
import { clickHouseMetrics } from '../../deploy/reference/metrics-page.js';
import { makeCertificate } from '../support/certificates.js';
import { TEST_SECRETS_KEYS } from '../support/engine.js';
import { check, hasProgram } from '../support/programs.js';
import { ROOT, readTreeFile } from '../support/source-tree.js';
import { startStack } from '../support/stack.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook: string };
}

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly targets?: readonly { readonly expr: string }[];
}

const RULES = (parse(readTreeFile('deploy/prometheus/rules.yaml')) as { groups: readonly { rules: readonly Rule[] }[] }).groups.flatMap(
  ({ rules }) => rules,
);
const PANELS = (JSON.parse(readTreeFile('deploy/grafana/link-service.json')) as { panels: readonly Panel[] }).panels;
const EXPRESSIONS = [...RULES.map(({ expr }) => expr), ...PANELS.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))];

const KEYWORDS = new Set(['and', 'offset', 'or', 'unless', 'by', 'on', 'without', 'ignoring', 'up']);

/** Metrics that are shown only if PostgreSQL has a standby or an archive. */
const OF_FEW = ['postgresql_standby_lag_seconds', 'postgresql_archive_failing_seconds'];

/**
 * Metrics of control planes whose clicks are in ClickHouse. test/control-plane/health/clickhouse-metrics.test.ts checks that
 * these show all of them.
 */
const OF_CLICKHOUSE = clickHouseMetrics().flatMap(({ name, type }) =>
  type === 'histogram' ? [`${name}_bucket`, `${name}_count`] : [name],
);

/** The metric that the units of backups write for node_exporter. */
const OF_BACKUPS = 'link_service_backup_success_timestamp_seconds';

const isShownByAll = (name: string) => ![...OF_FEW, ...OF_CLICKHOUSE, OF_BACKUPS].includes(name);

/** The names of the metrics in a PromQL expression, each with the labels that must match exactly. */
function metricsOf(expression: string) {
  const bare = expression.replace(/\b(by|on|without|ignoring) \([^)]*\)/g, '').replace(/\[[^\]]*\]/g, '');
  return [...bare.matchAll(/(?<![\w"$])([a-z_][a-z0-9_]*)\b(?!\s*\()(?:\{([^}]*)\})?/g)].flatMap(([, name, matchers = '']) => {
    if (KEYWORDS.has(name as string) || bare.indexOf(`"${name}"`) !== -1) return [];
    const labels = [...matchers.matchAll(/(\w+)="([^"]*)"/g)].map(([pair]) => pair);
    const choices = [...matchers.matchAll(/(\w+)=~"([\w|]+)"/g)].flatMap(([, label, values]) =>
      (values as string).split('|').map((value) => `${label}="${value}"`),
    );
    return [{ name: name as string, labels: [...labels, ...choices] }];
  });
}

t.test('metrics and their labels are found in PromQL expressions', async (t) => {
  t.same(metricsOf('sum by (le, job) (rate(a_total{x="1",y=~"b|c",i=~"$i"}[5m])) / on (z) b_c > 0.1 and up == 0'), [
    { name: 'a_total', labels: ['x="1"', 'y="b"', 'y="c"'] },
    { name: 'b_c', labels: [] },
  ]);
});

t.test('promtool accepts the rules, and their tests pass', async (t) => {
  if (!hasProgram(t, 'promtool', 'prometheus')) return;
  for (const args of [
    ['check', 'rules', 'deploy/prometheus/rules.yaml'],
    ['check', 'config', 'deploy/prometheus/prometheus.yaml'],
    ['test', 'rules', 'test/deploy/prometheus-rules.yaml'],
    ['test', 'rules', 'test/deploy/prometheus-rules-backups.yaml'],
  ]) {
    const { status, output } = check('promtool', [...args.slice(0, -1), join(ROOT, args.at(-1) as string)]);
    t.equal(status, 0, output);
  }
});

t.test('each alert has a severity, and a section of the runbook with its meaning, what to look at and how to fix it', async (t) => {
  const runbook = readTreeFile('deploy/runbook.md');
  const sections = new Map([...runbook.matchAll(/^### (\w+)\n([\s\S]*?)(?=^##|(?![\s\S]))/gm)].map(([, name, text]) => [name, text]));
  for (const { alert, labels, annotations } of RULES) {
    t.match(labels.severity, /^(critical|warning|info)$/, alert);
    t.equal(annotations.runbook, `deploy/runbook.md#${alert.toLowerCase()}`);
    for (const part of ['Means', 'Look at', 'Fix']) t.match(sections.get(alert) ?? '', `**${part}** `, `${alert}: ${part}`);
  }
  t.same(
    [...sections.keys()].toSorted(),
    RULES.map(({ alert }) => alert).toSorted(),
    'the runbook has a section for every alert and no other',
  );
  for (const [, anchor] of runbook.matchAll(/\]\(#(\w+)\)/g))
    t.ok(
      [...sections.keys()].some((name) => name?.toLowerCase() === anchor),
      `#${anchor} exists`,
    );
});

t.test('the panels of the dashboard have unique ids and a query each', async (t) => {
  t.equal(new Set(PANELS.map(({ id }) => id)).size, PANELS.length);
  for (const { id, type, targets = [] } of PANELS) t.ok(type === 'row' || targets.length > 0, String(id));
});

/** The lines of a page of metrics that are series. */
const seriesOf = (page: string) => page.split('\n').filter((line) => line !== '' && !line.startsWith('#'));

t.test('a running engine or control plane shows every metric of the rules and the dashboard, with the labels they use', async (t) => {
  const folder = temporaryFolder(t);
  const certificates = join(folder, 'certificates');
  mkdirSync(certificates);
  const { certificate, key } = makeCertificate({ names: ['go.demo.example'] });
  writeFileSync(join(certificates, 'demo.pem'), certificate + key);
  const secret = join(folder, 'secrets-keys');
  writeFileSync(secret, `${TEST_SECRETS_KEYS}\n`);
  const environment = { SECRETS_KEYS: '', SECRETS_KEYS_FILE: secret, TLS_CERTIFICATES_DIR: certificates };
  const { controlPlane, engine, project } = await startStack(t, { processes: 1, environment });
  await controlPlane.call(project, 'POST', '/links', { path: 'a' });
  const read = async () => {
    const own = await (await fetch(`http://127.0.0.1:${controlPlane.adminPort}/metrics`)).text();
    return seriesOf(own + (await engine.metrics()));
  };
  // Processes report once a second.
  const series = await until(async () => {
    const lines = await read();
    return lines.some((line) => line.startsWith('webhook_queue_lag_seconds')) && lines;
  }, 'the metrics of background');
  const seen = new Set<string>();
  for (const { name, labels } of EXPRESSIONS.flatMap(metricsOf).filter(({ name }) => isShownByAll(name))) {
    const lines = series.filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
    t.ok(lines.length > 0, `${name} is shown`);
    // The status of the API's answers depends on its callers.
    for (const label of labels)
      if (!label.startsWith('status="5') && label !== 'part="clickhouse"')
        t.ok(
          lines.some((line) => line.includes(label)),
          `${name} with ${label}`,
        );
    seen.add(name);
  }
  t.ok(seen.size > 30);

  rmSync(secret);
  t.ok(await engine.killProcess('redirect-0'));
  await until(async () => (await engine.health()).status !== 'ok', 'the process to end');
  await engine.whenReady();
  t.pass('a restarted process has the secrets although their file was removed');
});
