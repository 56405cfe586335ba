import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import t, { type Test } from 'tap';
import { bundleTap } from './bundle-tap.js';
import { temporaryFolder } from './temporary-folder.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

function exportsOf(module: string): readonly string[] {
  const program = `import(${JSON.stringify(pathToFileURL(module).href)}).then((all) => console.log(JSON.stringify(Object.keys(all))))`;
  return JSON.parse(execFileSync(process.execPath, ['-e', program], { encoding: 'utf8' }));
}

/** Makes a root that only has packages. */
function rootOf(t: Test): string {
  const root = temporaryFolder(t);
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
  mkdirSync(join(root, 'dist', 'test'), { recursive: true });
  writeFileSync(join(root, 'package-lock.json'), '{}');
  return root;
}

t.test('the bundle of tap exports everything that the package does, and is rebuilt when packages change', async (t) => {
  const root = rootOf(t);
  const made = join(root, 'dist', 'test', 'node_modules', 'tap');
  await bundleTap(root);
  const first = readFileSync(join(made, 'package.json'), 'utf8');
  const file = join(made, JSON.parse(first).main);
  const names = exportsOf(join(ROOT, 'node_modules', 'tap', 'dist', 'esm', 'index.js'));
  t.strictSame(exportsOf(file), [...names, 'standFor'].sort());
  writeFileSync(file, '');
  await bundleTap(root);
  t.equal(readFileSync(file, 'utf8'), '', 'the bundle is not rebuilt while packages are the same');
  writeFileSync(join(root, 'package-lock.json'), '{"changed":true}');
  await bundleTap(root);
  t.not(readFileSync(file, 'utf8'), '');
  t.not(readFileSync(join(made, 'package.json'), 'utf8'), first);
});

const FAILING = `
import t from 'tap';
import { executionAsyncId } from 'node:async_hooks';
t.test('throws', async () => {
  setTimeout(() => { throw new Error('thrown in a timer'); }, 1);
  await new Promise(() => {});
});
t.test('rejects', (t) => t.test('inside', async () => {
  Promise.reject(new Error('rejected by nobody'));
  await new Promise((resolve) => setTimeout(resolve, 1000));
}));
t.test('goes on', async (t) => {
  await null;
  t.equal(executionAsyncId(), 0, 'no hook follows promises');
});`;

t.test('an uncaught error fails the running test, and the next test goes on', async (t) => {
  const root = rootOf(t);
  await bundleTap(root);
  const file = join(root, 'dist', 'test', 'failing.mjs');
  writeFileSync(file, FAILING);
  const { status, stdout } = spawnSync(process.execPath, [file], { encoding: 'utf8', cwd: root });
  t.equal(status, 1);
  t.match(stdout, /^ {4}not ok 1 - thrown in a timer$/m);
  t.match(stdout, /^not ok 1 - throws /m);
  t.match(stdout, /^ {8}not ok 1 - rejected by nobody$/m);
  t.match(stdout, /^not ok 2 - rejects /m);
  t.match(stdout, /^ {4}ok 1 - no hook follows promises$/m);
  t.match(stdout, /^ok 3 - goes on /m);
});
