import t from 'tap';
import { linkdSettings } from '../../../control-plane/cli/settings.js';
import { PAGE_NAMES, readGuide, renderGuide } from '../../../control-plane/docs/guides.js';
import { controlPlaneSettings } from '../../../control-plane/settings.js';
import { localSettings } from '../../../deploy/local/settings.js';
import { eventsPage, problemsPage } from '../../../deploy/reference/contract-pages.js';
import { logCalls, logsPage } from '../../../deploy/reference/logs-page.js';
import { controlPlaneMetrics, engineMetrics, metricsPage, nodeMetrics } from '../../../deploy/reference/metrics-page.js';
import { settingsPage } from '../../../deploy/reference/settings-page.js';
import { engineSettings } from '../../../engine/settings.js';
import { readTreeFile } from '../../support/source-tree.js';
import { startStack } from '../../support/stack.js';

/** The first cells of the rows of a page's tables. */
function named(page: string): readonly string[] {
  return [...page.matchAll(/^\| `([^`]+)` \|/gm)].map(([, name]) => name as string);
}

t.test('the page of settings lists every setting once, with its default, its bounds and whether it is secret', async (t) => {
  const page = settingsPage();
  const names = [engineSettings, controlPlaneSettings, localSettings, linkdSettings].flatMap((table) =>
    Object.values(table).map(({ name }) => name),
  );
  t.same(named(page), [...new Set(names)].toSorted());
  t.match(page, /^\| `ENGINE_PORT` \|[^|]+\| `8080` \| 0 to 65535 \| no \| engine \|$/m);
  t.match(page, /^\| `SPOOL_BYTES_MAX` \|[^|]+\| `2147483648` \| 67108864 or more \| no \| engine \|$/m);
  t.match(page, /^\| `LOG_LEVEL` \|[^|]+\| `info` \(engine, control plane\); `warn` \(`npm start`\) \| trace, debug/m);
  t.match(page, /^\| `REDIRECT_PROCESSES` \|[^|]+\| `0` \| 0 to 128 \|/m);
  for (const line of page.split('\n').filter((line) => line.includes('comma-separated'))) t.match(line, / \| list \| /, line);
  const secrets = [...page.matchAll(/^\| `([A-Z_]+)` .*\| yes; or `\1_FILE` \|/gm)].map(([, name]) => name);
  t.same(secrets, [
    'CLICKHOUSE_URL',
    'DATABASE_POOL_URL',
    'DATABASE_URL',
    'LINKD_API_KEY',
    'OTEL_EXPORTER_OTLP_HEADERS',
    'QUEUE_DATABASE_URL',
    'SECRETS_KEYS',
  ]);
  const [, ofReadme = ''] = /^- \*\*Secrets\*\*:([\s\S]*?)\n-/m.exec(readTreeFile('deploy/README.md')) ?? [];
  for (const name of secrets) t.ok(ofReadme.includes(`\`${name}\``), `README.md names ${name}`);
});

t.test('every setting with the name of a key, secret, password or database URL is marked as secret', async (t) => {
  for (const table of [engineSettings, controlPlaneSettings, localSettings, linkdSettings])
    for (const { name, ...setting } of Object.values(table))
      if (/KEYS?$|SECRET|PASSWORD|DATABASE_URL/.test(name)) t.equal((setting as { secret?: boolean }).secret, true, name);
});

t.test('the page of metrics lists every metric of a running engine and control plane, and no other', async (t) => {
  const { engine, controlPlane } = await startStack(t, { processes: 1 });
  t.teardown(async () => {
    await engine.stop();
    await controlPlane.stop();
  });
  await engine.whenReady();
  const shown = (text: string) => [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => `${name} ${type}`);
  const listed = (metrics: readonly { name: string; type: string }[]) => metrics.map(({ name, type }) => `${name} ${type}`);
  const ofEngine = shown(await engine.metrics());
  const pageOfEngine = listed([...engineMetrics(), ...nodeMetrics()]);
  t.same(
    ofEngine.filter((name) => !pageOfEngine.includes(name)),
    [],
    'the page lists every metric of an engine',
  );
  // Some metrics have no series before the first visit, and those of TLS have none without certificates.
  const silent = pageOfEngine.filter((name) => !ofEngine.includes(name)).map((name) => name.split('_')[0]);
  t.same(
    [...new Set(silent)].filter((first) => first !== 'tls' && first !== 'nodejs' && first !== 'process'),
    [],
    'an engine shows every metric of the page',
  );
  const ofControlPlane = shown(await (await fetch(`http://127.0.0.1:${controlPlane.adminPort}/metrics`)).text());
  t.same(ofControlPlane.toSorted(), listed([...controlPlaneMetrics(), ...nodeMetrics()]).toSorted());
  t.match(metricsPage(), /^\| `link_host_requests_total` \| counter \| `outcome`, `process` \| Requests/m);
  t.match(metricsPage(), /^\| `engine_process_serving` \| gauge \| `slot`, `process` \|/m);
});

t.test('the pages of events and problems list every event and code of the contract', async (t) => {
  const { webhooks, components } = JSON.parse(readTreeFile('shared/contract/openapi.json'));
  const events = eventsPage();
  for (const type of Object.keys(webhooks)) t.ok(named(events).includes(type) && events.includes(`### ${type}\n`), type);
  t.equal([...events.matchAll(/^### /gm)].length, Object.keys(webhooks).length);
  t.same([...events.matchAll(/^\| `[^`]+` \| +\|$/gm)].flat(), [], 'every field has a description');
  const listed = named(problemsPage());
  const text = JSON.stringify(components.schemas);
  t.ok(listed.length > 30);
  for (const code of listed) t.ok(text.includes(`"${code}"`), `${code} is a code of the contract`);
  const codes = ['Problem', 'FieldError'].flatMap((name) => components.schemas[name].properties.code.enum as string[]);
  t.same(
    codes.filter((code) => !listed.includes(code)),
    [],
  );
});

t.test('every log call has a code, each message has one code, and the page lists all codes', async (t) => {
  const calls = logCalls();
  t.ok(calls.length > 100);
  t.same(
    calls.filter(({ code }) => code === null || !/^[a-z]+(_[a-z0-9]+)+$/.test(code)),
    [],
    'begin the facts of the call with a code: log.warn({ code: "what_happened", ... }, "...")',
  );
  const codes = new Map<string, Set<string>>();
  for (const { code, message } of calls) if (message !== null) codes.set(message, (codes.get(message) ?? new Set()).add(String(code)));
  t.same(
    [...codes].filter(([, named]) => named.size > 1),
    [],
    'each message has one code',
  );
  t.same(
    named(logsPage()).filter((name) => name.includes('_')),
    [...new Set(calls.map(({ code }) => code))].toSorted(),
  );
  t.match(logsPage(), /^\| `clicks_unstored` \| debug, warn \| clicks could not be stored; they wait in the spool \| engine \|$/m);
});

t.test('each page renders like a guide', async (t) => {
  for (const page of [settingsPage(), metricsPage(), eventsPage(), problemsPage(), logsPage()]) {
    const guide = readGuide('page', page);
    t.ok(renderGuide(guide, PAGE_NAMES).headings.length > 1, guide.title);
  }
});
