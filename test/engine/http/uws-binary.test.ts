import { spawnSync } from 'node:child_process';
import { appendFileSync, copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { allBinaries, binaryFault, judgeOwnBinary, ownBinary, uwsPackage } from '../../../engine/http/uws-binary.js';
import { ROOT, readTreeFile } from '../../support/source-tree.js';
import { UWS_MISSING } from '../../support/uws.js';

const INSTALLED = uwsPackage();
const FOLDER = INSTALLED.name === 'uws-pack' ? INSTALLED.folder : '';

t.test('the machine code for every system is the reviewed one', async (t) => {
  const files = allBinaries(INSTALLED);
  t.equal(files.length, 12, 'six systems, two versions of Node.js');
  t.equal(binaryFault(FOLDER, files), '');
});

t.test('a changed, missing or unknown file is reported by name with the command that repairs it', { skip: UWS_MISSING }, async (t) => {
  const folder = t.testdir();
  const file = ownBinary();
  copyFileSync(join(FOLDER, file), join(folder, file));
  t.equal(binaryFault(folder, [file]), '');
  appendFileSync(join(folder, file), '\0');
  t.equal(binaryFault(folder, [file]), `${file} of uWebSockets.js is not the known file; install it again with: npm ci`);
  rmSync(join(folder, file));
  t.match(binaryFault(folder, [file]), file);
  copyFileSync(join(FOLDER, file), join(folder, 'uws_plan9_x64_127.node'));
  t.match(binaryFault(folder, allBinaries({ ...INSTALLED, folder })), /uws_plan9_x64_127\.node/);
});

/** Writes a package as npm installs uWebSockets.js: a stand-in for its code, and its binary for this system. */
function writePackage(folder: string, { name = 'uWebSockets.js', version = '20.66.0', binary = '' }): string {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, version, main: './uws.js' }));
  writeFileSync(join(folder, 'uws.js'), "exports.App = () => 'an app';\n");
  if (binary === '') writeFileSync(join(folder, ownBinary()), 'machine code');
  else copyFileSync(binary, join(folder, ownBinary()));
  return join(folder, 'uws.js');
}

t.test('another release by the original authors may be loaded, with a note; other packages may not', async (t) => {
  const folder = t.testdir();
  const chosen = uwsPackage(writePackage(folder, {}));
  t.match(chosen, { name: 'uWebSockets.js', version: '20.66.0', folder });
  t.match(judgeOwnBinary(chosen), { fault: '', note: /^uWebSockets\.js 20\.66\.0 was installed from its authors/ });
  t.same(allBinaries(chosen), [ownBinary()]);
  const other = uwsPackage(writePackage(folder, { name: 'uws-of-somebody' }));
  t.match(judgeOwnBinary(other), { fault: /^uws-of-somebody 20\.66\.0 .* neither .*npm ci$/, note: '' });
  const repack = { name: 'uws-pack', version: '20.0.9', folder };
  t.match(
    judgeOwnBinary(repack),
    { fault: /not the known file/ },
    'another version of the repack does not count as one by the original authors',
  );
});

const isLinuxX64 = process.platform === 'linux' && process.arch === 'x64';

t.test("the authors' release that was repacked has the known checksums", { skip: UWS_MISSING || !isLinuxX64 }, async (t) => {
  const folder = t.testdir();
  const version = '20.49.0';
  t.same(judgeOwnBinary(uwsPackage(writePackage(folder, { version, binary: join(FOLDER, ownBinary()) }))), { fault: '', note: '' });
  t.match(judgeOwnBinary(uwsPackage(writePackage(folder, { version }))), { fault: /not the known file/ });
});

t.test('the build, the start and the image verify the machine code', async (t) => {
  const { scripts } = JSON.parse(readTreeFile('package.json')) as { scripts: Record<string, string> };
  const compares = /node dist\/engine\/http\/verify-uws\.js &&/;
  t.match(scripts.build, compares);
  t.match(scripts.prestart, compares);
  t.match(readTreeFile('deploy/Dockerfile'), /^RUN node dist\/engine\/http\/verify-uws\.js \\\n {2}&& /m);
});

/** Makes a tree of links to this one, without uWebSockets.js. Returns the folder where uWebSockets.js belongs. */
function treeWithoutUws(folder: string): string {
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  symlinkSync(join(ROOT, 'dist'), join(folder, 'dist'));
  copyFileSync(join(ROOT, 'package.json'), join(folder, 'package.json'));
  for (const name of readdirSync(join(ROOT, 'node_modules')))
    if (name !== 'uWebSockets.js') symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name));
  return join(folder, 'node_modules/uWebSockets.js');
}

/** Makes such a tree with a copy of uWebSockets.js in which one byte of one file is changed. Returns the folder of the tree. */
function treeWithChangedBinary(folder: string, changed: string): string {
  const own = treeWithoutUws(folder);
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
  // Set in the environment, so that child processes resolve modules in the folder too.
  const env = { ...process.env, NODE_OPTIONS: '--preserve-symlinks --preserve-symlinks-main' };
  return spawnSync(process.execPath, rest, { cwd: folder, encoding: 'utf8', env });
}

t.test("one changed byte in any system's file makes the verification exit with 1", { skip: FOLDER === '' && 'no repack' }, async (t) => {
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

t.test("another release by the authors passes the build's verification and is loaded, both say so, and doctor does not fail", async (t) => {
  const folder = t.testdir();
  writePackage(treeWithoutUws(folder), {});
  const verified = runIn(folder, 'dist/engine/http/verify-uws.js');
  t.match([verified.status, verified.stderr], [0, /^uWebSockets\.js 20\.66\.0 was installed from its authors/]);
  writeFileSync(
    join(folder, 'load.mjs'),
    `import { loadUws } from './dist/engine/http/listen-uws.js';
    import { readMachineFacts } from './dist/deploy/doctor/machine-facts.js';
    import { machineFindings } from './dist/deploy/doctor/machine.js';
    const log = (fields) => console.log(JSON.stringify(fields));
    const uws = await loadUws({ warn: log, error: log });
    log({ app: uws?.App() });
    for (const finding of machineFindings(await readMachineFacts({})))
      if (['uwebsockets', 'packages'].includes(finding.check)) log(finding);`,
  );
  const { stdout, stderr } = runIn(folder, 'load.mjs');
  const linesOf = (text: string) =>
    text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  const [warned, loaded, packages, uws] = linesOf(stdout);
  t.match(warned, { code: 'uws_not_compared', note: /from its authors/ }, stderr);
  t.match(loaded, { app: 'an app' });
  t.match(packages, { check: 'packages', status: 'ok' });
  t.match(uws, { check: 'uwebsockets', status: 'ok', text: /from its authors.*it loads\.$/ });

  writeFileSync(join(folder, 'node_modules/uWebSockets.js/uws.js'), "throw new Error('no binary for this system');\n");
  t.match(linesOf(runIn(folder, 'load.mjs').stdout).at(-1), { check: 'uwebsockets', status: 'warning', text: /20\.66\.0 does not load/ });
});
