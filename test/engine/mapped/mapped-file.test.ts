import { closeSync, ftruncateSync, openSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { loadLibc } from '../../../engine/mapped/libc.js';
import { allocateFile, attempt, lockFile, type MappedWindow, openWindow, resizeFile } from '../../../engine/mapped/mapped-file.js';

const BYTES = 64 * 1024;

function windowOf(bytes: number): MappedWindow {
  const opened = openWindow(bytes);
  if ('error' in opened) throw new Error(opened.error);
  return opened.window;
}

t.test('the C library is found on this platform', async (t) => {
  t.match(loadLibc(), { available: true });
});

t.test('what is written into an attached window is in the file', async (t) => {
  const path = join(t.testdir({ file: '' }), 'file');
  const fd = openSync(path, 'r+');
  t.equal(allocateFile(fd, BYTES), null);
  const window = windowOf(BYTES);
  t.equal(window.attach(fd, true), null);
  closeSync(fd);
  window.bytes.write('stored', 1000);
  t.equal(readFileSync(path).toString('latin1', 1000, 1006), 'stored', 'it is written although the file was closed after attaching');
  window.detach();
});

t.test('a detached window reads as zeros, and writes to it change no file', async (t) => {
  const path = join(t.testdir({ file: Buffer.alloc(BYTES, 'x').toString() }), 'file');
  const fd = openSync(path, 'r+');
  const window = windowOf(BYTES);
  const view = window.bytes;
  t.equal(window.attach(fd, true), null);
  t.equal(view[0], 'x'.charCodeAt(0));
  window.detach();
  t.equal(view[0], 0);
  view[0] = 1;
  t.equal(readFileSync(path)[0], 'x'.charCodeAt(0));
  t.equal(window.attach(fd, true), null, 'the window can be attached again');
  t.equal(view[0], 'x'.charCodeAt(0), 'the same view shows the file again');
  window.detach();
  closeSync(fd);
});

t.test('attaching another file replaces the previous one', async (t) => {
  const dir = t.testdir({ a: Buffer.alloc(BYTES, 'a').toString(), b: Buffer.alloc(BYTES, 'b').toString() });
  const window = windowOf(BYTES);
  for (const name of ['a', 'b', 'a']) {
    const fd = openSync(join(dir, name), 'r');
    t.equal(window.attach(fd, false), null);
    closeSync(fd);
    t.equal(window.bytes.toString('latin1', BYTES - 2), name + name);
  }
  window.detach();
});

t.test('a file shorter than the window is refused, since reading beyond its end would kill the process', async (t) => {
  const path = join(t.testdir({ file: 'short' }), 'file');
  const fd = openSync(path, 'r+');
  const window = windowOf(BYTES);
  t.equal(window.attach(fd, true), 'EINVAL');
  t.equal(window.bytes[0], 0);
  closeSync(fd);
});

t.test('an error of the operating system is returned by its name', async (t) => {
  const dir = t.testdir({ file: '' });
  const window = windowOf(BYTES);
  t.equal(window.attach(9999, true), 'EBADF');
  t.equal(allocateFile(9999, BYTES), 'EBADF');
  t.equal(resizeFile(9999, BYTES), 'EBADF');
  const fd = openSync(join(dir, 'file'), 'r+');
  ftruncateSync(fd, BYTES);
  closeSync(fd);
  const readOnly = openSync(join(dir, 'file'), 'r');
  t.equal(window.attach(readOnly, true), 'EACCES');
  t.equal(window.bytes[0], 0, 'the window is empty and can still be touched');
  closeSync(readOnly);
});

t.test('a file that is too large for the file system is an error value and does not end the process', async (t) => {
  const path = join(t.testdir({ file: '' }), 'file');
  const fd = openSync(path, 'r+');
  // More than any file system has free. EFBIG if a file may not be that long at all.
  t.match(allocateFile(fd, 2 ** 52), /^(ENOSPC|EFBIG)$/);
  closeSync(fd);
});

t.test('allocating a file reserves disk blocks for all of its pages', async (t) => {
  const path = join(t.testdir({ file: '' }), 'file');
  const fd = openSync(path, 'r+');
  t.equal(resizeFile(fd, BYTES), null);
  const sparse = statSync(path).blocks;
  t.equal(allocateFile(fd, BYTES), null);
  t.ok(statSync(path).blocks > sparse);
  t.ok(statSync(path).blocks * 512 >= BYTES);
  closeSync(fd);
});

t.test('a lock excludes every other open file until its file is closed', async (t) => {
  const path = join(t.testdir({ file: '' }), 'file');
  const holder = openSync(path, 'r+');
  const other = openSync(path, 'r+');
  t.equal(lockFile(holder, true), 'locked');
  t.equal(lockFile(other, true), 'held by another');
  t.equal(lockFile(other, false), 'held by another');
  closeSync(holder);
  t.equal(lockFile(other, false), 'locked');
  closeSync(other);
});

t.test('attempt returns errors of the operating system as values and throws all others', async (t) => {
  t.same(
    attempt(() => 1),
    { value: 1 },
  );
  t.same(
    attempt(() => statSync('/nowhere/at/all')),
    { error: 'ENOENT' },
  );
  t.throws(() => attempt(() => writeFileSync('x', 1 as unknown as string)), TypeError);
});
