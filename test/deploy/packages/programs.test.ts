import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import t from 'tap';
import { bundleProgram, PROGRAMS } from '../../../deploy/packages/programs.js';
import { ROOT, sourceFiles } from '../../support/source-tree.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { until } from '../../support/until.js';

function writeFiles(root: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

t.test('a program is bundled into one file, and import.meta.url of each module is that of its compiled file', async (t) => {
  const root = temporaryFolder(t);
  mkdirSync(join(root, 'dist', 'tool'), { recursive: true });
  writeFiles(root, {
    'package.json': '{"type":"module"}',
    'tool/main.ts': `import { folder } from './inner/folder.js';
      const { late } = await import('./late.js');
      console.log(JSON.stringify([folder satisfies string, late, import.meta.url]));`,
    'tool/inner/folder.ts': `export const folder: string = new URL('.', import.meta.url).href;`,
    'tool/late.ts': `import { folder } from './inner/folder.js'; export const late = [folder, import.meta.url];`,
  });
  await bundleProgram(root, 'tool/main.ts', '\n// 1\n');
  const [dist, tool] = [join(root, 'dist'), join(root, 'dist', 'tool')];
  const address = (path: string) => pathToFileURL(join(dist, path)).href;
  const inner = `${address('tool/inner')}/`;
  const run = () => JSON.parse(execFileSync(process.execPath, [join(tool, 'main.js')], { encoding: 'utf8' }));
  t.strictSame(run(), [inner, [inner, address('tool/late.js')], address('tool/main.js')]);
  t.notOk(readdirSync(tool).includes('inner'), 'no other module is written');

  const { ino } = statSync(join(tool, 'main.js'));
  await bundleProgram(root, 'tool/main.ts', '\n// 1\n');
  t.equal(statSync(join(tool, 'main.js')).ino, ino, 'a program of the same version is not written again');
  writeFileSync(join(tool, 'main.js'), '// as it is compiled');
  await bundleProgram(root, 'tool/main.ts', '\n// 1\n');
  t.strictSame(
    run(),
    [inner, [inner, address('tool/late.js')], address('tool/main.js')],
    'a file that the compiler wrote is replaced by the bundle',
  );

  writeFiles(root, { 'dist/tool/main.other-name.js': '', 'tool/late.ts': `export const late = 'changed';` });
  await bundleProgram(root, 'tool/main.ts', '\n// 2\n');
  t.strictSame(run(), [inner, 'changed', address('tool/main.js')]);
  const late = readdirSync(tool).filter((name) => /^main\.late-[\w-]+\.js$/.test(name));
  t.equal(late.length, 1, 'files of the former bundle are removed');
  t.ok(readdirSync(tool).includes('main.other-name.js'), 'files of other programs are kept');
});

t.test('every process and worker thread is a bundled program that loads no other module of the project', async (t) => {
  const workers = sourceFiles().filter((name) => /^(?!control-plane\/dashboard\/|test\/).*\.worker\.ts$/.test(name));
  t.strictSame(
    workers.filter((name) => !PROGRAMS.includes(name)),
    [],
  );
  for (const program of PROGRAMS) {
    const compiled = join(ROOT, 'dist', program.replace(/\.ts$/, '.js'));
    const own = compiled.slice(0, -'.js'.length);
    // Another test may start the service from its sources, which compiles this file before it bundles it.
    await until(() => readFileSync(compiled, 'utf8').includes('\n// Made of modules of '), `${program} as one file`, 60_000);
    const loaded = [...readFileSync(compiled, 'utf8').matchAll(/^(?:import|export) [^;]*?from "(\..+?)";$|\bimport\("(\..+?)"\)/gm)]
      .map(([, early, late]) => join(dirname(compiled), (early ?? late) as string))
      .filter((path) => !path.startsWith(`${own}.`));
    t.strictSame(loaded, [], program);
  }
});
