import { chmodSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { keepFilesPrivate, openPrivateFolder } from '../../../shared/base/private-files.js';
import { openEntries } from '../../support/open-entries.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const modeOf = (path: string) => statSync(path).mode & 0o777;

t.test('a new folder is accessible to its user alone', async (t) => {
  const folder = join(temporaryFolder(t), 'outer', 'data');
  openPrivateFolder(folder, ['store']);
  t.strictSame(openEntries(folder), []);
});

t.test('files that are created afterwards are accessible to their user alone, even if they ask for more', async (t) => {
  const before = process.umask(0o022);
  t.teardown(() => process.umask(before));
  keepFilesPrivate();
  const folder = join(temporaryFolder(t), 'data');
  mkdirSync(join(folder, 'store'), { recursive: true });
  writeFileSync(join(folder, 'store', 'data.mdb'), '', { mode: 0o664 });
  t.strictSame(openEntries(folder), []);
});

t.test('in a folder of an earlier release, other users lose access to the folder and to all files of the service', async (t) => {
  const folder = join(temporaryFolder(t), 'data');
  mkdirSync(join(folder, 'store', '1'), { recursive: true });
  writeFileSync(join(folder, 'store', '1', 'data.mdb'), '');
  for (const path of [folder, join(folder, 'store'), join(folder, 'store', '1')]) chmodSync(path, 0o755);
  chmodSync(join(folder, 'store', '1', 'data.mdb'), 0o664);
  openPrivateFolder(folder, ['store', 'missing']);
  t.strictSame(openEntries(folder), []);
  t.equal(modeOf(join(folder, 'store', '1', 'data.mdb')), 0o600);
});

t.test('a file in place of the folder is an error and keeps its mode', async (t) => {
  const file = join(temporaryFolder(t), 'data');
  writeFileSync(file, '');
  chmodSync(file, 0o644);
  t.throws(() => openPrivateFolder(file, []), { code: 'ENOTDIR' });
  t.equal(modeOf(file), 0o644);
});

t.test('files of others keep their mode, and so does the target of a symbolic link', async (t) => {
  const parent = temporaryFolder(t);
  const folder = join(parent, 'data');
  mkdirSync(join(folder, 'photos'), { recursive: true });
  mkdirSync(join(folder, 'store'));
  writeFileSync(join(parent, 'elsewhere'), '');
  chmodSync(join(folder, 'photos'), 0o755);
  chmodSync(join(parent, 'elsewhere'), 0o644);
  symlinkSync(join(parent, 'elsewhere'), join(folder, 'store', 'link'));
  openPrivateFolder(folder, ['store']);
  t.equal(modeOf(join(folder, 'photos')), 0o755);
  t.equal(modeOf(join(parent, 'elsewhere')), 0o644);
});
