import { homedir } from 'node:os';
import { dirname } from 'node:path';
import t from 'tap';
import { ROOT, readTreeFile, sourceFiles, treeFiles } from '../support/source-tree.js';

/** A shorter prefix may occur in ordinary text by chance. */
const TELLING_CHARACTERS_MIN = 6;

t.test('no file holds a path of a developer’s machine', async (t) => {
  const local = [ROOT, `${dirname(ROOT)}/`, `${homedir()}/`].filter(
    (path) => path.length >= TELLING_CHARACTERS_MIN && path !== '/root/' && path !== '/tmp/',
  );
  const homes = /(?<![\w.])\/(home|Users)\/(?!runner|node\b|link-service)[a-z][\w-]*\//;
  for (const file of treeFiles()) {
    const text = readTreeFile(file);
    for (const path of local) if (text.includes(path)) t.fail(`${file} names ${path}`);
    const found = homes.exec(text);
    if (found !== null && file !== 'test/rules/tree.test.ts') t.fail(`${file} names ${found[0]}`);
  }
  t.ok(treeFiles().includes('package.json'));
});

t.test('package-lock.json and .npmrc name no registry', async (t) => {
  const { packages } = JSON.parse(readTreeFile('package-lock.json')) as { packages: Record<string, { resolved?: string }> };
  for (const [name, { resolved }] of Object.entries(packages))
    if (resolved?.startsWith('http'))
      t.fail(`package-lock.json has the address of ${name}; repair it with: npm install --package-lock-only`);
  t.match(readTreeFile('.npmrc'), /^omit-lockfile-registry-resolved=true$/m);
  t.notMatch(readTreeFile('.npmrc'), /registry=|_auth/);
});

t.test('versions of dependencies are exact', async (t) => {
  const manifest = JSON.parse(readTreeFile('package.json')) as Record<'dependencies' | 'devDependencies', Record<string, string>>;
  for (const [name, version] of Object.entries({ ...manifest.dependencies, ...manifest.devDependencies }))
    t.match(version, /^(npm:[\w.@/-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/, name);
});

t.test('of Scalar only its standalone build is installed, without the packages that are in it', async (t) => {
  const { overrides } = JSON.parse(readTreeFile('package.json')) as { overrides: Record<string, Record<string, string>> };
  const { packages } = JSON.parse(readTreeFile('package-lock.json')) as {
    packages: Record<string, { dependencies?: Record<string, string> }>;
  };
  const { microdiff, ...others } = packages['node_modules/@scalar/api-reference']?.dependencies ?? {};
  t.type(microdiff, 'string');
  t.same(Object.keys(overrides['@scalar/api-reference'] ?? {}).sort(), Object.keys(others).sort());
  t.same(new Set(Object.values(overrides['@scalar/api-reference'] ?? {})).size, 1);
});

t.test('every dependency is imported by the service, and every development dependency is used', async (t) => {
  const manifest = JSON.parse(readTreeFile('package.json')) as {
    dependencies: Record<string, string>;
    devDependencies: Record<string, string>;
    scripts: Record<string, string>;
  };
  const importedBy = (isAsked: (file: string) => boolean) => {
    const text = sourceFiles().filter(isAsked).map(readTreeFile).join('\n');
    return (name: string) => [`'${name}'`, `'${name}/`, `'@${name}/`, `\`@${name}/`].some((specifier) => text.includes(specifier));
  };
  const byService = importedBy((file) => /^(engine|control-plane|shared|deploy)\//.test(file));
  for (const name of Object.keys(manifest.dependencies)) t.ok(byService(name), `${name} is imported by the service`);
  const byAny = importedBy(() => true);
  const scripts = Object.values(manifest.scripts).join('\n');
  for (const name of Object.keys(manifest.devDependencies)) {
    const typed = name.startsWith('@types/') ? name.slice('@types/'.length) : '';
    const isRun = scripts.includes(`${name.split('/').at(-1)} `);
    t.ok(
      byAny(name) || isRun || typed === 'node' || (typed !== '' && byAny(typed)),
      `${name} is imported, run, or has types of an imported module`,
    );
  }
});
