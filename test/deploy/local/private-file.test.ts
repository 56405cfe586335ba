import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { readPrivateFile, writePrivateFile } from '../../../deploy/local/private-file.js';

t.test('a private file has mode 0600 and is replaced atomically', async (t) => {
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
  t.equal(statSync(file).mode & 0o777, 0o600, 'a write restores the private mode');
  t.not(statSync(file).ino, ino, 'a write replaces the file, so that a reader never sees a part of it');
  t.strictSame(readdirSync(folder), ['secret']);
});

t.test('a partial file of a crashed write does not prevent the next write', async (t) => {
  const folder = t.testdir();
  writeFileSync(join(folder, `secret.${process.pid}`), 'half');
  writePrivateFile(join(folder, 'secret'), 'whole');
  t.equal(readPrivateFile(join(folder, 'secret')), 'whole');
});

t.test('a path that cannot be read is an error, and only a missing file counts as absent', async (t) => {
  const folder = t.testdir();
  mkdirSync(join(folder, 'secret'));
  t.throws(() => readPrivateFile(join(folder, 'secret')), { code: 'EISDIR' });
});
