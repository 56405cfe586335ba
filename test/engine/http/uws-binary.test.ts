import { spawnSync } from 'node:child_process';
import { appendFileSync, copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { allBinaries, binaryFault, ownBinary, repackFolder } from '../../../engine/http/uws-binary.js';
import { ROOT, readTreeFile } from '../../support/source-tree.js';
import { UWS_MISSING } from '../../support/uws.js';

const FOLDER = repackFolder() ?? '';

t.test('the machine code for every system is the one that was reviewed', async (t) => {
  const files = allBinaries(FOLDER);
  t.equal(files.length, 12, 'six systems, two versions of Node.js');
  t.equal(binaryFault(FOLDER, files), '');
});

t.test(
  'a file that was changed, is missing or is not known is named with the command that repairs it',
  { skip: UWS_MISSING },
  async (t) => {
    const folder = t.testdir();
    const file = ownBinary();
    copyFileSync(join(FOLDER, file), join(folder, file));
    t.equal(binaryFault(folder, [file]), '');
    appendFileSync(join(folder, file), '\0');
    t.equal(binaryFault(folder, [file]), `${file} of uWebSockets.js is not the known file; install it again with: npm ci`);
    rmSync(join(folder, file));
    t.match(binaryFault(folder, [file]), file);
    copyFileSync(join(FOLDER, file), join(folder, 'uws_plan9_x64_127.node'));
    t.match(binaryFault(folder, allBinaries(folder)), /uws_plan9_x64_127\.node/);
  },
);

t.test('uWebSockets.js from its authors has no such folder', async (t) => {
  const folder = t.testdir();
  t.equal(repackFolder(join(folder, 'uws.js')), null);
  mkdirSync(join(folder, 'bin'));
  t.equal(repackFolder(join(folder, 'uws.js')), join(folder, 'bin'));
});

t.test('the build, the start and the image compare the machine code', async (t) => {
  const { scripts } = JSON.parse(readTreeFile('package.json')) as { scripts: Record<string, string> };
  const compares = /node dist\/engine\/http\/verify-uws\.js &&/;
  t.match(scripts.build, compares);
  t.match(scripts.prestart, compares);
  t.match(readTreeFile('deploy/Dockerfile'), /^RUN node dist\/engine\/http\/verify-uws\.js \\\n {2}&& /m);
});

/** Links to the tree, with a copy of uWebSockets.js in which one byte of one file was changed. Returns its folder. */
function treeWithChangedBinary(folder: string, changed: string): string {
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  symlinkSync(join(ROOT, 'dist'), join(folder, 'dist'));
  copyFileSync(join(ROOT, 'package.json'), join(folder, 'package.json'));
  for (const name of readdirSync(join(ROOT, 'node_modules')))
    if (name !== 'uWebSockets.js') symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name));
  const own = join(folder, 'node_modules/uWebSockets.js');
  const skipped = (path: string) => path.endsWith('.node');
  cpSync(join(ROOT, 'node_modules/uWebSockets.js'), own, { recursive: true, filter: (path) => !skipped(path) });
  for (const file of readdirSync(FOLDER).filter(skipped)) symlinkSync(join(FOLDER, file), join(own, 'dist/bin', file));
  const bytes = readFileSync(join(FOLDER, changed));
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
  rmSync(join(own, 'dist/bin', changed));
  writeFileSync(join(own, 'dist/bin', changed), bytes);
  return folder;
}

function runIn(folder: string, ...rest: readonly string[]) {
  return spawnSync(process.execPath, ['--preserve-symlinks', '--preserve-symlinks-main', ...rest], { cwd: folder, encoding: 'utf8' });
}

t.test("one byte changed in any system's file ends the comparison with 1", { skip: FOLDER === '' && 'no repack' }, async (t) => {
  const verify = 'dist/engine/http/verify-uws.js';
  t.equal(spawnSync(process.execPath, [join(ROOT, verify)]).status, 0);
  const file = 'uws_win32_x64_115.node';
  const ended = runIn(treeWithChangedBinary(t.testdir(), file), verify);
  t.match([ended.status, ended.stderr], [1, `${file} of uWebSockets.js is not the known file`]);
});

t.test('changed machine code is not loaded, and the log says so', { skip: UWS_MISSING }, async (t) => {
  const program = `import { loadUws } from './dist/engine/http/listen-uws.js';
    const uws = await loadUws({ error: (fields) => console.log(JSON.stringify(fields)) });
    console.log(uws);`;
  const folder = treeWithChangedBinary(t.testdir(), ownBinary());
  writeFileSync(join(folder, 'load.mjs'), program);
  const { stdout, stderr } = runIn(folder, 'load.mjs');
  t.match(stdout, /^\{"code":"uws_not_loaded","fault":"uws_.* is not the known file.*"\}\nnull\n$/, stderr);
});
