import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { importTarget } from './import-target.js';

const { client, environment, imported, run } = await importTarget(t);
const folder = temporaryFolder(t);

t.test('a file has its name only once it has every link', async (t) => {
  const { id } = await environment();
  const rows = Array.from({ length: 1001 }, (_, at) => `p${at},https://shop.example/\n`);
  await imported(['csv', '--env', id], `path,web\n${rows.join('')}`);
  const file = join(folder, 'links.csv');
  const words = ['export', 'links', '--env', id, '--format', 'csv', '--output', file];
  // The last link is on the second page, and cannot be read.
  await client.query(`UPDATE links SET created_at = '-infinity' WHERE environment_id = $1 AND path = 'p7'`, [id]);
  t.match(await run(words), { status: 1 });
  t.same(readdirSync(folder), []);
  await client.query(`UPDATE links SET created_at = now() WHERE environment_id = $1 AND path = 'p7'`, [id]);
  t.match(await run(words), { status: 0 });
  t.equal(readFileSync(file, 'utf8').trim().split('\n').length, 1002);
  t.equal(statSync(file).mode & 0o777, 0o600);
  t.same(readdirSync(folder), ['links.csv']);
});

t.test('a file that exists is not written over, and a folder that does not is named', async (t) => {
  const { id } = await environment();
  const file = join(folder, 'kept.csv');
  writeFileSync(file, 'kept');
  const words = ['export', 'links', '--env', id, '--format', 'csv', '--output'];
  t.match(await run([...words, file]), { status: 1, stderr: /kept\.csv already exists/ });
  t.equal(readFileSync(file, 'utf8'), 'kept');
  const nowhere = join(folder, 'nowhere', 'links.csv');
  t.match(await run([...words, nowhere]), { status: 3, stderr: `linkd: ${nowhere}: ENOENT\n` });
  t.notOk(existsSync(nowhere));
});

t.test('the part that a killed export left does not keep the next one from writing the file, also with the same process id', async (t) => {
  const { id } = await environment();
  const file = join(folder, 'again.csv');
  writeFileSync(`${file}.${process.pid}.part`, 'path');
  t.match(await run(['export', 'links', '--env', id, '--format', 'csv', '--output', file]), { status: 0 });
  t.ok(existsSync(file));
});
