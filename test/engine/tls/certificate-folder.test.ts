import { appendFileSync, mkdirSync, renameSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import t from 'tap';
import { lookAtFolder, readFolder } from '../../../engine/tls/certificate-folder.js';
import { CERTIFICATE_FILE_BYTES_MAX } from '../../../shared/base/limits.js';

const names = async (dir: string) => (await lookAtFolder(dir)).paths.map((path) => relative(dir, path));

t.test('files are found in the folder and in its direct subfolders, in the order of their names', async (t) => {
  const dir = t.testdir({
    'b.crt': '',
    'a.pem': '',
    'c.key': '',
    README: '',
    'live.pem': { 'fullchain.pem': '', deeper: { 'hidden.pem': '' } },
    'go.shop.example': { 'fullchain.pem': '', 'privkey.pem': '', 'notes.txt': '' },
  });
  t.same(await names(dir), [
    'a.pem',
    'b.crt',
    'c.key',
    'go.shop.example/fullchain.pem',
    'go.shop.example/privkey.pem',
    'live.pem/fullchain.pem',
  ]);
});

t.test('a secret mounted by Kubernetes is read once, and its renewal is noticed', async (t) => {
  const dir = t.testdir();
  const version = (name: string, text: string) => {
    mkdirSync(join(dir, name));
    for (const file of ['tls.crt', 'tls.key']) writeFileSync(join(dir, name, file), text);
  };
  version('..2026_1', 'old');
  symlinkSync('..2026_1', join(dir, '..data'));
  for (const file of ['tls.crt', 'tls.key']) symlinkSync(join('..data', file), join(dir, file));
  const before = await lookAtFolder(dir);
  t.same(await names(dir), ['tls.crt', 'tls.key']);
  t.same(
    (await readFolder(before)).files.map(({ text }) => text),
    ['old', 'old'],
  );
  version('..2026_2', 'new');
  symlinkSync('..2026_2', join(dir, '..new'));
  renameSync(join(dir, '..new'), join(dir, '..data'));
  const after = await lookAtFolder(dir);
  t.not(after.stamp, before.stamp);
  t.same(
    (await readFolder(after)).files.map(({ text }) => text),
    ['new', 'new'],
  );
});

t.test('the stamp of a folder changes with every change of its files and otherwise stays the same', async (t) => {
  const dir = t.testdir({ 'a.pem': 'one', 'b.pem': 'one' });
  const stamps = new Set<string>();
  const stamp = async () => (await lookAtFolder(dir)).stamp;
  stamps.add(await stamp());
  t.ok(stamps.has(await stamp()));
  appendFileSync(join(dir, 'a.pem'), 'x');
  stamps.add(await stamp());
  writeFileSync(join(dir, 'c.pem.new'), 'one');
  renameSync(join(dir, 'c.pem.new'), join(dir, 'b.pem'));
  stamps.add(await stamp());
  unlinkSync(join(dir, 'b.pem'));
  stamps.add(await stamp());
  t.equal(stamps.size, 4);
});

t.test('a file that cannot be read is reported, and the others are read', async (t) => {
  const dir = t.testdir({ 'good.pem': 'text', 'large.pem': 'x'.repeat(CERTIFICATE_FILE_BYTES_MAX + 1), 'folder.pem': {} });
  symlinkSync('nowhere', join(dir, 'dangling.pem'));
  const { files, faults } = await readFolder(await lookAtFolder(dir));
  t.same(
    files.map(({ text }) => text),
    ['text'],
  );
  t.same(
    faults.map(({ path, reason }) => `${relative(dir, path)}: ${reason}`),
    ['dangling.pem: it cannot be read: ENOENT', `large.pem: it has more than ${CERTIFICATE_FILE_BYTES_MAX} bytes`],
  );
});

t.test('a folder that does not exist is an error with its code', async (t) => {
  await t.rejects(lookAtFolder(join(t.testdir(), 'nowhere')), { code: 'ENOENT' });
});
