import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { canWriteIn, chooseServerUser, runAs, serverUser } from '../../../deploy/local/server-user.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const ROOT_LINE = 'root:x:0:0:root:/root:/bin/sh';
const NOBODY = 'nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin';
const POSTGRES = 'postgres:x:101:104::/var/lib/postgresql:/bin/bash';

t.test('as root the server runs as the account postgres, or as nobody without one', async (t) => {
  t.strictSame(chooseServerUser([ROOT_LINE, NOBODY, POSTGRES, ''].join('\n'), null), { name: 'postgres', uid: 101, gid: 104 });
  t.strictSame(chooseServerUser([ROOT_LINE, NOBODY].join('\n'), null), { name: 'nobody', uid: 65534, gid: 65534 });
});

t.test('an existing database is served by the account that owns it', async (t) => {
  t.strictSame(chooseServerUser([ROOT_LINE, NOBODY, POSTGRES].join('\n'), 65534), { name: 'nobody', uid: 65534, gid: 65534 });
  t.throws(() => chooseServerUser([ROOT_LINE, NOBODY].join('\n'), 4711), { name: 'StartError', message: /user number 4711/ });
  t.throws(() => chooseServerUser([ROOT_LINE, NOBODY, POSTGRES].join('\n'), 0, '/backup/db'), {
    name: 'StartError',
    message: /\/backup\/db belongs to user number 0, .* run chown -R postgres: '\/backup\/db'$/,
  });
});

t.test('without a usable account the start fails with a line that says what to do', async (t) => {
  t.throws(() => chooseServerUser(ROOT_LINE, null), { name: 'StartError', message: /ordinary user or set DATABASE_URL$/ });
  // An account with root's number, or with invalid numbers, is not accepted.
  t.throws(() => chooseServerUser('postgres:x:0:0::/:\nnobody:x:-2:-2::/:', null), { name: 'StartError' });
});

t.test('a process that is not root uses its own user, and data of another user is refused', async (t) => {
  const uid = process.getuid?.() as number;
  const user = serverUser(null);
  t.equal(user === null, uid !== 0);
  t.throws(() => serverUser(uid === 0 ? 4_000_000 : uid + 1), { name: 'StartError' });
});

t.test('the server gets a fixed environment, not that of its parent', async (t) => {
  process.env.PGPASSWORD = 'secret';
  t.teardown(() => delete process.env.PGPASSWORD);
  t.strictSame(Object.keys(runAs(null).env).sort(), ['LC_ALL', 'PATH', 'TZ']);
  t.match(runAs({ name: 'x', uid: 5, gid: 6 }), { uid: 5, gid: 6, cwd: '/' });
});

t.test('a folder is writable only if every folder above it may be entered', async (t) => {
  const user = serverUser(null);
  const folder = temporaryFolder(t);
  const inner = join(folder, 'outer/inner');
  mkdirSync(inner, { recursive: true });
  chmodSync(inner, 0o777);
  t.equal(canWriteIn(inner, user), true);
  // 0o600: only root may enter the folder; if this process is root, the server's user is another one.
  chmodSync(join(folder, 'outer'), 0o600);
  t.equal(canWriteIn(inner, user), false);
  chmodSync(join(folder, 'outer'), 0o755);
  t.equal(canWriteIn(join(folder, 'missing'), user), false);
});
