import { dirname, join, normalize } from 'node:path';
import t from 'tap';
import { importsOf, readTreeFile, sourceFiles } from '../support/source-tree.js';

/** What each part may import besides itself. test and bench are on top, and may import everything below them. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  'shared/base': [],
  shared: ['shared/base'],
  engine: ['shared', 'shared/base'],
  'control-plane': ['shared', 'shared/base'],
  deploy: ['shared', 'shared/base', 'engine', 'control-plane'],
  bench: ['shared', 'shared/base', 'engine', 'control-plane', 'deploy'],
  test: ['shared', 'shared/base', 'engine', 'control-plane', 'deploy', 'bench'],
};

/** Scripts that developers of the service and tests run. */
const SCRIPTS = [
  'shared/sdk/build.ts',
  'shared/sdk/generate-types.ts',
  'control-plane/docs/build.ts',
  'control-plane/docs/guides.ts',
  'deploy/packages/one-file.ts',
  'deploy/packages/programs.ts',
  'deploy/reference/logs-page.ts',
];

function partOf(file: string): string {
  return file.startsWith('shared/base/') ? 'shared/base' : (file.split('/')[0] as string);
}

const DASHBOARD = 'control-plane/dashboard/';

/**
 * The modules of the service that the dashboard ships: a preview uses the colours of the page itself (2026-11-24-brands.md), and
 * a file is read as the command line reads it.
 */
const SHIPPED = [
  'shared/base/brand-limits.js',
  'shared/base/exact-numbers.js',
  'shared/base/export-limits.js',
  'shared/base/csv-cell.js',
  'shared/base/csv-dialect.js',
  'shared/base/day-ranges.js',
  'shared/base/hex-color.js',
  'shared/base/page-colors.js',
  'shared/base/view-limits.js',
];

function packageName(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

t.test(
  'imports go only to lower layers: engine and control-plane import shared, shared imports shared/base, and neither half the other',
  async (t) => {
    const files = sourceFiles();
    t.ok(files.length > 50);
    let seen = 0;
    for (const file of files) {
      const from = partOf(file);
      for (const specifier of importsOf(file)) {
        if (!specifier.startsWith('.')) continue;
        seen++;
        const target = partOf(normalize(join(dirname(file), specifier)));
        if (target !== from && !MAY_IMPORT[from]?.includes(target))
          t.fail(`${file} imports ${specifier}: ${from} may not import ${target}`);
      }
    }
    t.ok(seen > 100);
  },
);

t.test('production code imports only dependencies of package.json that are not for development', async (t) => {
  const { dependencies, devDependencies } = JSON.parse(readTreeFile('package.json')) as Record<string, Record<string, string>>;
  for (const file of sourceFiles()) {
    // The dashboard is bundled when it is built, so that nothing it consists of is imported in production.
    const development = ['test', 'bench'].includes(partOf(file)) || file.startsWith(DASHBOARD) || SCRIPTS.includes(file);
    for (const specifier of importsOf(file)) {
      // The build of the dashboard creates the modules named `virtual:`.
      if (/^(?:\.|node:|virtual:)/.test(specifier)) continue;
      const name = packageName(specifier);
      const listed = dependencies?.[name] !== undefined || (development && devDependencies?.[name] !== undefined);
      if (!listed) t.fail(`${file} imports ${specifier}, which is no ${development ? '' : 'production '}dependency of package.json`);
    }
  }
  t.ok(dependencies?.pg);
});

t.test(
  'the dashboard imports only types of the contract and some listed modules of the service, and the service imports nothing of the dashboard',
  async (t) => {
    for (const file of sourceFiles())
      for (const specifier of importsOf(file)) {
        if (!specifier.startsWith('.')) continue;
        const target = normalize(join(dirname(file), specifier));
        const inside = target.startsWith(DASHBOARD);
        if (file.startsWith(DASHBOARD)) {
          // The build script is not a part of the dashboard. It writes the files in the forms in which the server looks for them.
          const isBuild = file === `${DASHBOARD}build.ts` && target.startsWith('control-plane/http/');
          if (!inside && !isBuild && !target.startsWith('shared/contract/') && !SHIPPED.includes(target))
            t.fail(`${file} imports ${specifier}`);
        } else if (inside && partOf(file) !== 'test') t.fail(`${file} imports ${specifier}`);
      }
    for (const file of sourceFiles().filter((file) => file.startsWith(DASHBOARD)))
      for (const [statement] of readTreeFile(file).matchAll(/^import [^;]*shared\/contract\/[^;]*;/gm))
        if (!statement.startsWith('import type ')) t.fail(`${file} ships a part of the contract: ${statement}`);
  },
);

t.test('property tests use fast-check through test/support/properties.ts, which sets the seed of the suite', async (t) => {
  const direct = sourceFiles().filter((file) => importsOf(file).includes('fast-check'));
  t.same(direct, ['test/support/properties.ts']);
});
