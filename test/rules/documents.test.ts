import { existsSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import t from 'tap';
import { logCalls } from '../../deploy/reference/logs-page.js';
import { clickHouseMetrics, controlPlaneMetrics, engineMetrics, nodeMetrics } from '../../deploy/reference/metrics-page.js';
import { settingsByName } from '../../deploy/reference/settings-page.js';
import { fileVariable } from '../../shared/base/settings.js';
import { ROOT, readTreeFile, treeFiles } from '../support/source-tree.js';

const DOCUMENTS = treeFiles().filter((file) => file.endsWith('.md'));
/** These speak of the tree as it is now. The changes, and the decisions of the past, may name what is gone. */
const CURRENT = DOCUMENTS.filter((file) => file !== 'CHANGELOG.md' && !/^shared\/decisions\/\d/.test(file));

/** Pages that links of a guide may lead to, and that the build writes. */
const WRITTEN_BY_BUILD = /^control-plane\/docs\/guides\/(?:settings|metrics|logs|events|problems)\.md$/;
/** The API reference, as the guides link to it: test/control-plane/docs/guides.test.ts checks these. */
const REFERENCE = '../../docs';

/** The anchors of a document's headings, as GitHub makes them. */
function anchorsOf(document: string): readonly string[] {
  return [...readTreeFile(document).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** Why the link leads nowhere; null if it leads somewhere. */
function faultOf(document: string, target: string): string | null {
  const [file = '', anchor] = target.split('#');
  if (/^https?:/.test(file) || file === REFERENCE) return null;
  const path = file === '' ? document : normalize(join(dirname(document), file));
  if (WRITTEN_BY_BUILD.test(path)) return null;
  if (!existsSync(join(ROOT, path))) return `${path} does not exist`;
  return anchor === undefined || anchorsOf(path).includes(anchor) ? null : `${path} has no heading #${anchor}`;
}

t.test('links of documents lead to existing files and headings', async (t) => {
  const found = DOCUMENTS.flatMap((document) =>
    [...readTreeFile(document).matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, target = '']) => {
      const fault = faultOf(document, target);
      return fault === null ? [] : [`${document}: ${target}: ${fault}`];
    }),
  );
  t.same(found, []);
  t.match(faultOf('README.md', 'deploy/README.md#gone'), /no heading/);
  t.match(faultOf('README.md', 'deploy/GONE.md'), /does not exist/);
  t.equal(faultOf('deploy/README.md', '../README.md#start'), null);
});

/** Files that an operator has, and the tree does not. */
const OF_OPERATORS = /^deploy\/(?:secrets(?:\/.*)?|\.env|settings\.env)$/;

t.test('files of the tree that documents name exist', async (t) => {
  // The table of what was measured leaves out `test/` and the extension.
  for (const document of CURRENT)
    for (const [, path = ''] of readTreeFile(document).matchAll(
      /`((?:test|shared|control-plane|engine|deploy|bench|api|flow|fault|\.ci|\.github)\/[\w./@-]+)`/g,
    ))
      if (!OF_OPERATORS.test(path))
        t.ok(
          [path, `test/${path}.test.ts`].some((name) => existsSync(join(ROOT, name))),
          `${document} names ${path}`,
        );
});

t.test('the README names every folder of shared, and the pages of deployment every folder of deploy', async (t) => {
  const foldersOf = (folder: string) => [
    ...new Set(treeFiles().flatMap((file) => new RegExp(`^${folder}/([^/]+)/`).exec(file)?.[1] ?? [])),
  ];
  const [, tree = ''] = /\n```\n(shared\/ [\s\S]*?)\n```\n/.exec(readTreeFile('README.md')) ?? [];
  for (const folder of foldersOf('shared')) t.ok(tree.includes(`\n  ${folder}/ `), `README.md has no line for shared/${folder}`);
  const page = readTreeFile('deploy/README.md');
  for (const folder of foldersOf('deploy').filter((name) => name !== 'secrets'))
    t.ok(page.includes(`\`${folder}/\``), `deploy/README.md has no line for ${folder}/`);
});

t.test('scripts of npm that documents name exist', async (t) => {
  const { scripts } = JSON.parse(readTreeFile('package.json')) as { scripts: Record<string, string> };
  for (const document of CURRENT)
    for (const [, script = ''] of readTreeFile(document).matchAll(/\bnpm run ([a-z][a-z:-]*)/g))
      t.ok(Object.hasOwn(scripts, script), `${document} names npm run ${script}`);
});

const SETTINGS = settingsByName();
const VARIABLES = new Set([...SETTINGS.keys()].flatMap((name) => [name, fileVariable(name)]));

t.test('variables that documents name are settings, or occur elsewhere in the tree', async (t) => {
  const elsewhere = treeFiles()
    .filter((file) => !file.endsWith('.md') && file !== 'test/rules/documents.test.ts')
    .filter((file) => /\.(?:ts|yaml|cfg|ini|service|env)$|\/make-secrets$|Caddyfile$|Dockerfile$/.test(file))
    .map(readTreeFile)
    .join('\n');
  for (const document of CURRENT)
    for (const [, name = ''] of readTreeFile(document).matchAll(/`([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?==[^`]*`|`)/g))
      t.ok(VARIABLES.has(name) || elsewhere.includes(name), `${document} names ${name}`);
});

const UNITS: Readonly<Record<string, number>> = { MiB: 1024 ** 2, GiB: 1024 ** 3 };

/** The defaults that a document states: after the name in parentheses, as in `SPOOL_BYTES_MAX` (2 GiB), or in the table of the README. */
function statedDefaults(text: string): readonly (readonly [name: string, value: string])[] {
  const inText = [...text.matchAll(/`([A-Z][A-Z0-9_]+)` \((\d[\d,]*)(?: (MiB|GiB))?\)/g)].map(
    ([, name = '', count = '', unit = '']) => [name, String(Number(count.replaceAll(',', '')) * (UNITS[unit] ?? 1))] as const,
  );
  const [, table = ''] = /\n\| Setting \| Default \| \|\n([\s\S]*?)\n\n/.exec(text) ?? [];
  const inTable = [...table.matchAll(/^\| `([A-Z][A-Z0-9_]+)` \| ([^|]*)\|/gm)].map(
    ([, name = '', value = '']) => [name, value.trim().replaceAll('`', '')] as const,
  );
  return [...inText, ...inTable];
}

t.test('defaults of settings that documents state are those of the code', async (t) => {
  let stated = 0;
  for (const document of CURRENT)
    for (const [name, value] of statedDefaults(readTreeFile(document))) {
      const readings = SETTINGS.get(name);
      if (readings === undefined) continue;
      stated++;
      const defaults = readings.map(({ setting }) => setting.fallback);
      t.ok(defaults.includes(value), `${document}: ${name} is ${defaults.join(' or ')} by default, not ${value}`);
    }
  t.ok(stated > 15, String(stated));
});

/** Metrics of programs other than ours. */
const FOREIGN_METRICS = new Set(['container_memory_working_set_bytes']);

t.test('metrics that the pages of deployment name exist', async (t) => {
  const metrics = [engineMetrics, controlPlaneMetrics, clickHouseMetrics, nodeMetrics].flatMap((list) => list().map(({ name }) => name));
  const prefixes = new Set(metrics.map((name) => name.split('_')[0]));
  const schema = readTreeFile('control-plane/migrations/schema.sql');
  let named = 0;
  for (const document of CURRENT.filter((file) => file.startsWith('deploy/')))
    for (const [, code = ''] of readTreeFile(document).matchAll(/`([^`\n]+)`/g))
      for (const [name] of code.matchAll(/\b[a-z]+(?:_[a-z0-9]+){2,}\b/g)) {
        if (!prefixes.has(name.split('_')[0]) || FOREIGN_METRICS.has(name) || new RegExp(`\\b${name}\\b`).test(schema)) continue;
        named++;
        t.ok(metrics.includes(name.replace(/_(?:bucket|count|sum)$/, '')), `${document} names ${name}`);
      }
  t.ok(named > 15, String(named));
});

t.test('messages of the log that the runbook quotes exist', async (t) => {
  const messages = logCalls().flatMap(({ message }) => message ?? []);
  const quoted = [...readTreeFile('deploy/runbook.md').matchAll(/"([a-z]+ [^"]+)"/g)].map(([, text = '']) => text);
  t.ok(quoted.length > 1);
  for (const text of quoted)
    t.ok(
      messages.some((message) => message.startsWith(text)),
      `no message begins with "${text}"`,
    );
});

t.test('the figures of redirects in README.md are those of bench/README.md', async (t) => {
  const figuresOf = (document: string) =>
    [...readTreeFile(document).matchAll(/^\| [^|]+ \| ([\d.]+ \| [\d.]+ \| \d+ \(\d+\)) \|$/gm)].map(([, figures = '']) => figures);
  const measured = figuresOf('bench/README.md');
  const shown = figuresOf('README.md');
  t.ok(shown.length > 3);
  for (const figures of shown) t.ok(measured.includes(figures), figures);
});
