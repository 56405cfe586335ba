import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { readPrivateFile, writePrivateFile } from '../../../deploy/local/private-file.js';

t.test('a private file is read and written by its owner alone, and replaced in one step', async (t) => {
  const folder = t.testdir();
  const file = join(folder, 'secret');
  t.equal(readPrivateFile(file), null);
  writePrivateFile(file, 'first');
  t.equal(readPrivateFile(file), 'first');
  t.equal(statSync(file).mode & 0o777, 0o600);
  const { ino } = statSync(file);
  chmodSync(file, 0o644);
  writePrivateFile(file, 'second');
  t.equal(readPrivateFile(file), 'second');
  t.equal(statSync(file).mode & 0o777, 0o600, 'a mode that was opened up is closed again');
  t.not(statSync(file).ino, ino, 'a new file takes the name: a reader never sees half of one');
  t.strictSame(readdirSync(folder), ['secret']);
});

t.test('a file cut short by a crash of an earlier write does not stand in the way', async (t) => {
  const folder = t.testdir();
  writeFileSync(join(folder, `secret.${process.pid}`), 'half');
  writePrivateFile(join(folder, 'secret'), 'whole');
  t.equal(readPrivateFile(join(folder, 'secret')), 'whole');
});

t.test('anything but a missing file is an error, not an absence', async (t) => {
  const folder = t.testdir();
  mkdirSync(join(folder, 'secret'));
  t.throws(() => readPrivateFile(join(folder, 'secret')), { code: 'EISDIR' });
});
