import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import t from 'tap';
import { importGraph, isTypesOnly, ROOT, sourceFiles } from '../support/source-tree.js';

/**
 * A module has a test if
 * - `test/` mirrors it (engine/a/b.ts and test/engine/a/b.test.ts), or
 * - a test imports it by name, or
 * - it is a part of such a module: imported by it, in the same folder or one below, or an sql function it runs, or a table of
 *   metrics that it registers, or
 * - an entry below says why it is tested from further away, and by which test.
 *
 * Modules with types alone need no test, because the compiler checks them.
 */
interface Exception {
  /** A module, or a folder with a slash at its end. */
  readonly modules: string;
  readonly reason: string;
  /** The tests that fail if it is broken. */
  readonly tests: readonly string[];
}

const EXCEPTIONS: readonly Exception[] = [
  {
    modules: 'deploy/packages/main.ts',
    reason: 'a step of the build, judged by what it has built',
    tests: ['test/deploy/packages/one-file.test.ts', 'test/deploy/packages/programs.test.ts'],
  },
  {
    modules: 'deploy/build/main.ts',
    reason: 'the order of the steps of the build, judged by what they have built',
    tests: ['test/deploy/packages/programs.test.ts', 'test/control-plane/dashboard/build.test.ts', 'test/control-plane/docs/build.test.ts'],
  },
  {
    modules: 'control-plane/http/',
    reason: 'the way of a request through the server, tested as clients meet it',
    tests: ['test/api/every-operation.test.ts', 'test/api/idempotency.test.ts', 'test/api/keys.test.ts'],
  },
  {
    modules: 'control-plane/db/row-reader.ts',
    reason: 'the one shape of statements that read an object by its id, as the API answers it',
    tests: ['test/api/every-operation.test.ts', 'test/api/entity-tags.test.ts'],
  },
  {
    modules: 'control-plane/click-stream/',
    reason: 'a stream as its clients read it, over HTTP',
    tests: ['test/api/click-stream.test.ts', 'test/flow/click-stream.test.ts'],
  },
  {
    modules: 'control-plane/click-figures/reading/people-sums.ts',
    reason: 'sums of clicks beside what they have led to, told as the API tells them',
    tests: ['test/control-plane/stats/conversions.test.ts'],
  },
  {
    modules: 'control-plane/click-figures/reading/value-days.ts',
    reason: 'two statements, as a query with one filter answers what they find',
    tests: ['test/control-plane/stats/query-clicks.test.ts'],
  },
  {
    modules: 'control-plane/click-figures/log/log-parts.ts',
    reason: 'one COPY, whose rows become columns that are compared with the log',
    tests: ['test/control-plane/click-figures/prepared/day-columns.test.ts', 'test/control-plane/stats/query-clicks.test.ts'],
  },
  {
    modules: 'control-plane/views/',
    reason: 'handlers and their statements, and what strangers make of a public link, over HTTP',
    tests: ['test/api/views.test.ts', 'test/api/shared-views.test.ts'],
  },
  {
    modules: 'control-plane/click-figures/reading/link-days.ts',
    reason: 'one statement, as a list of links answers what it finds',
    tests: ['test/api/link-clicks.test.ts'],
  },
  {
    modules: 'control-plane/links/',
    reason: 'handlers and their statements, over HTTP',
    tests: ['test/api/links.test.ts', 'test/api/lists.test.ts'],
  },
  {
    modules: 'control-plane/qr/',
    reason: 'the parts of one image, which is read as a scanner reads it',
    tests: ['test/control-plane/qr/qr-image.test.ts', 'test/api/qr.test.ts'],
  },
  {
    modules: 'control-plane/large-calls/',
    reason: 'a thread and who asks it, over HTTP and as a whole process',
    tests: ['test/api/large-calls.test.ts', 'test/flow/large-calls.test.ts'],
  },
  {
    modules: 'control-plane/click-figures/locks/',
    reason: 'locks of sessions that count at the same time',
    tests: ['test/control-plane/click-figures/counting/click-counter.test.ts', 'test/control-plane/click-figures/counting/rebuild.test.ts'],
  },
  {
    modules: 'control-plane/click-figures/columns/column-count.worker.ts',
    reason: 'a thread, whose answers are compared with those of this one',
    tests: ['test/control-plane/stats/query-clicks.test.ts'],
  },
  {
    modules: 'control-plane/click-figures/columns/part-reader.ts',
    reason: 'rows as PostgreSQL sends them',
    tests: ['test/control-plane/stats/query-clicks.test.ts', 'test/control-plane/click-figures/prepared/day-columns.test.ts'],
  },
  {
    modules: 'control-plane/click-figures/counting/counting.worker.ts',
    reason: 'a thread, started by the job it works for',
    tests: ['test/control-plane/jobs/counting.test.ts'],
  },
  { modules: 'control-plane/campaigns/', reason: 'handlers and their rules, over HTTP', tests: ['test/api/campaigns.test.ts'] },
  { modules: 'control-plane/environment/', reason: 'handlers and their rules, over HTTP', tests: ['test/api/environment.test.ts'] },
  {
    modules: 'control-plane/blocklist/check.ts',
    reason: 'what handlers ask of each URL, over HTTP',
    tests: ['test/api/blocklist.test.ts'],
  },
  {
    modules: 'control-plane/destinations/',
    reason: 'what handlers of links and environments do with destinations, over HTTP',
    tests: ['test/api/links.test.ts', 'test/api/environment.test.ts'],
  },
  {
    modules: 'control-plane/imports/',
    reason: 'what the command does, with services that answer as theirs do',
    tests: ['test/control-plane/cli/import.test.ts', 'test/api/imports.test.ts'],
  },
  { modules: 'control-plane/exports/', reason: 'what the command does', tests: ['test/control-plane/cli/import.test.ts'] },
  { modules: 'control-plane/keys/handlers.ts', reason: 'over HTTP', tests: ['test/api/key.test.ts'] },
  { modules: 'control-plane/tags/', reason: 'handlers and their statements, over HTTP', tests: ['test/api/tags.test.ts'] },
  { modules: 'control-plane/db/containing.ts', reason: 'a pattern of a search, over HTTP', tests: ['test/api/search.test.ts'] },
  { modules: 'control-plane/installs/', reason: 'a handler and its statements, over HTTP', tests: ['test/api/installs.test.ts'] },
  {
    modules: 'control-plane/health/',
    reason: 'what a tenant reads over HTTP, and the operator on the admin port and by a command',
    tests: ['test/api/health.test.ts', 'test/control-plane/cli/health.test.ts', 'test/control-plane/start.test.ts'],
  },
  { modules: 'control-plane/events/', reason: 'handlers and their rules, over HTTP', tests: ['test/api/tracked-events.test.ts'] },
  {
    modules: 'control-plane/apps/',
    reason: 'handlers, over HTTP and with clicks that a real shipper has shipped',
    tests: ['test/api/apps.test.ts', 'test/api/opens.test.ts'],
  },
  {
    modules: 'shared/sdk/generate-types.ts',
    reason: 'writes a committed file, which a test judges',
    tests: ['test/shared/sdk/types-document.test.ts', 'test/shared/sdk/build.test.ts'],
  },
  {
    modules: 'engine/http/answer-after-body.ts',
    reason: 'how a listener meets bodies, over sockets',
    tests: ['test/engine/http/listen-uws.test.ts', 'test/engine/http/listen-node.test.ts'],
  },
  {
    modules: 'engine/http/held-answer.ts',
    reason: 'tested through those whose answers it holds',
    tests: ['test/engine/visit/visits.test.ts', 'test/engine/visit/cards.test.ts'],
  },
  {
    modules: 'engine/http/verify-uws.ts',
    reason: 'a step of the build, which ends where it fails',
    tests: ['test/engine/http/uws-binary.test.ts'],
  },
  { modules: 'deploy/reference/main.ts', reason: 'a step of the build', tests: ['test/deploy/reference/pages.test.ts'] },
  { modules: 'deploy/command-line/linkd.ts', reason: 'entry of a process', tests: ['test/control-plane/cli/linkd.test.ts'] },
  { modules: 'control-plane/jobs/jobs.ts', reason: 'puts the jobs together', tests: ['test/control-plane/start.test.ts'] },
  { modules: 'control-plane/metadata-api/', reason: 'handlers and their statements, over HTTP', tests: ['test/api/metadata-api.test.ts'] },
  { modules: 'control-plane/resources/', reason: 'handlers, over HTTP', tests: ['test/api/resources.test.ts'] },
  { modules: 'control-plane/webhooks/', reason: 'handlers and their statements, over HTTP', tests: ['test/api/webhooks.test.ts'] },
  {
    modules: 'control-plane/resource-types/',
    reason: 'handlers and their statements, over HTTP',
    tests: ['test/api/resource-types.test.ts'],
  },
  {
    modules: 'control-plane/url-templates/',
    reason: 'handlers, rules that look at stored rows, and their statements, over HTTP',
    tests: ['test/api/url-templates.test.ts', 'test/api/url-test.test.ts'],
  },
  {
    modules: 'control-plane/environment/',
    reason: 'what handlers read and lock of an environment, over HTTP',
    tests: ['test/api/url-templates.test.ts', 'test/api/resource-types.test.ts'],
  },
  {
    modules: 'control-plane/stats/',
    reason: 'handlers, over HTTP',
    tests: ['test/api/every-operation.test.ts', 'test/deploy/local/start.test.ts'],
  },
  {
    modules: 'control-plane/dashboard/',
    reason: 'the page, in a browser on the whole service',
    tests: ['test/browser/dashboard.test.ts'],
  },
  {
    modules: 'control-plane/clicks/',
    reason: 'what the commands do, with files and signals',
    tests: ['test/control-plane/cli/clicks.test.ts'],
  },
  { modules: 'control-plane/main.ts', reason: 'entry of a process', tests: ['test/deploy/local/start.test.ts'] },
  { modules: 'engine/preview/previews.ts', reason: 'puts the parts of previews together', tests: ['test/flow/previews.test.ts'] },
  { modules: 'engine/http/uws-probe.ts', reason: 'entry of a process', tests: ['test/engine/supervisor/listener-choice.test.ts'] },
  { modules: 'deploy/local/main.ts', reason: 'entry of a process', tests: ['test/deploy/local/start.test.ts'] },
  { modules: 'deploy/local/service.ts', reason: 'puts the parts of the start together', tests: ['test/deploy/local/start.test.ts'] },
  { modules: 'shared/contract/', reason: 'the contract as data, compared whole', tests: ['test/shared/contract/openapi.test.ts'] },
];

const MODULES = sourceFiles().filter((file) => /^(shared|engine|control-plane|deploy)\//.test(file));
const KNOWN = new Set(sourceFiles());

const IMPORTS = importGraph();

function targets(file: string): readonly string[] {
  return IMPORTS.get(file) ?? [];
}

function mirrorOf(module: string): string {
  return `test/${module.replace(/\.tsx?$/, '.test.ts')}`;
}

function isPart(module: string, of: string): boolean {
  const room = dirname(of);
  const inside = room.includes('/') && module.startsWith(`${room}/`);
  return dirname(module) === room || inside || /(^|\/)sql(\/|\.ts$)/.test(module) || isMetricsTable(module);
}

function isMetricsTable(module: string): boolean {
  return module.endsWith('-metrics.ts');
}

/** The modules that are tested nearby: by their mirror, by name, or as a part of a tested module. */
function testedNearby(): ReadonlySet<string> {
  const byName = new Set(
    sourceFiles()
      .filter((file) => file.startsWith('test/'))
      .flatMap(targets),
  );
  const tested = new Set(MODULES.filter((module) => byName.has(module) || existsSync(join(ROOT, mirrorOf(module)))));
  // A set is iterated in insertion order, including elements that are added meanwhile.
  for (const module of tested) {
    // What a table imports is what it reads, not a part of it.
    const parts = isMetricsTable(module) ? targets(module).filter(isMetricsTable) : targets(module);
    for (const part of parts) if (isPart(part, module)) tested.add(part);
  }
  return tested;
}

const TESTED_NEARBY = testedNearby();
const UNTESTED_NEARBY = MODULES.filter((module) => !TESTED_NEARBY.has(module) && !isTypesOnly(module));

function covers({ modules }: Exception, module: string): boolean {
  return modules.endsWith('/') ? module.startsWith(modules) : module === modules;
}

t.test('every module has a test', async (t) => {
  t.ok(MODULES.length > 100);
  const without = UNTESTED_NEARBY.filter((module) => !EXCEPTIONS.some((exception) => covers(exception, module)));
  t.strictSame(without, [], `write ${without.map(mirrorOf).join(', ')}, or say in test/rules/mirrors.test.ts which test covers it`);
});

t.test('every exception is still needed, and its tests exist', async (t) => {
  for (const exception of EXCEPTIONS) {
    t.ok(
      UNTESTED_NEARBY.some((module) => covers(exception, module)),
      `${exception.modules} is tested nearby by now, or gone: remove its line`,
    );
    for (const test of exception.tests) t.ok(KNOWN.has(test), `${test}, which is to cover ${exception.modules}, does not exist`);
  }
});

t.test('every test folder of shared, engine, control-plane and deploy mirrors a source folder', async (t) => {
  const strays = sourceFiles().filter((file) => {
    const folder = /^test\/((shared|engine|control-plane|deploy)(\/.*)?)\/[^/]+\.test\.ts$/.exec(file)?.[1];
    return folder !== undefined && !existsSync(join(ROOT, folder));
  });
  t.strictSame(strays, []);
});
