import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import t from 'tap';
import { bundleTap } from './bundle-tap.js';
import { temporaryFolder } from './temporary-folder.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

function exportsOf(module: string): readonly string[] {
  const program = `import(${JSON.stringify(pathToFileURL(module).href)}).then((all) => console.log(JSON.stringify(Object.keys(all))))`;
  return JSON.parse(execFileSync(process.execPath, ['-e', program], { encoding: 'utf8' }));
}

t.test('tap as one file has all that the package has, and is made again when packages have changed', async (t) => {
  const root = temporaryFolder(t);
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
  mkdirSync(join(root, 'dist', 'test'), { recursive: true });
  writeFileSync(join(root, 'package-lock.json'), '{}');
  const made = join(root, 'dist', 'test', 'node_modules', 'tap');
  await bundleTap(root);
  const first = readFileSync(join(made, 'package.json'), 'utf8');
  const file = join(made, JSON.parse(first).main);
  const names = exportsOf(join(ROOT, 'node_modules', 'tap', 'dist', 'esm', 'index.js'));
  t.strictSame(exportsOf(file), [...names, 'standFor'].sort());
  writeFileSync(file, '');
  await bundleTap(root);
  t.equal(readFileSync(file, 'utf8'), '', 'nothing is made while the packages are the same');
  writeFileSync(join(root, 'package-lock.json'), '{"changed":true}');
  await bundleTap(root);
  t.not(readFileSync(file, 'utf8'), '');
  t.not(readFileSync(join(made, 'package.json'), 'utf8'), first);
});
