import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { findBinaries, packageFolder } from '../../../deploy/local/binaries.js';
import { runAs, serverUser } from '../../../deploy/local/server-user.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const user = serverUser(null);

const folder = temporaryFolder(t);
/** A copy of the package, as if it were installed again. */
const copy = join(folder, 'package');
cpSync(packageFolder(), copy, { recursive: true, verbatimSymlinks: true });

t.test('binaries run where they are installed, and links that an installer without scripts left out are made', async (t) => {
  const links = JSON.parse(readFileSync(join(copy, 'native/pg-symlinks.json'), 'utf8')) as { target: string }[];
  for (const { target } of links) rmSync(join(copy, target));
  chmodSync(join(copy, 'native/bin/initdb'), 0o644);
  const binaries = findBinaries(user, join(folder, 'copies'), () => t.fail('no copy is made'), copy);
  t.equal(binaries.postgres, join(copy, 'native/bin/postgres'));
  t.match(binaries.version, /^\d+\.\d+\./);
  for (const { target } of links) t.ok(lstatSync(join(copy, target)).isSymbolicLink() && existsSync(join(copy, target)), target);
  t.equal(existsSync(join(folder, 'copies')), false);
});

t.test('if the server may not enter the folder of the package, one copy is made and used from then on', async (t) => {
  chmodSync(copy, 0o700); // this process's user owns it; if that is root, the server's user is another one
  const steps: string[] = [];
  const find = () => findBinaries(user, join(folder, 'copies'), (step) => steps.push(step), copy);
  // What a start leaves that is killed while it copies.
  mkdirSync(join(folder, `copies/postgres-unfinished.${process.pid}`), { recursive: true });
  const binaries = find();
  t.equal(binaries.postgres.startsWith(join(folder, 'copies')), user !== null);
  t.equal(steps.length, user === null ? 0 : 1);
  t.equal(spawnSync(binaries.postgres, ['--version'], runAs(user)).status, 0);
  const { ino } = statSync(binaries.postgres);
  t.equal(statSync(find().postgres).ino, ino);
  t.equal(steps.length, user === null ? 0 : 1, 'the second call makes no copy');
  t.notOk(readdirSync(join(folder, 'copies')).some((name) => /postgres-\d.*\.\d+$/.test(name) && name.endsWith(`.${process.pid}`)));
});

t.test('binaries that do not run on this machine stop the start with a line that suggests DATABASE_URL', async (t) => {
  const folder = temporaryFolder(t);
  const broken = join(folder, 'package');
  mkdirSync(join(broken, 'native/bin'), { recursive: true });
  writeFileSync(join(broken, 'package.json'), '{"version":"18.0.0"}');
  for (const name of ['initdb', 'postgres']) writeFileSync(join(broken, 'native/bin', name), '#!/nonexistent\n');
  t.throws(() => findBinaries(user, join(folder, 'copies'), () => {}, broken), {
    name: 'StartError',
    message: /does not run .*; set DATABASE_URL$/,
  });
});
