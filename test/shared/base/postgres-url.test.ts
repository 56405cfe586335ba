import t from 'tap';
import { postgresUrl } from '../../../shared/base/postgres-url.js';

t.test('every form that pg accepts is accepted and left unchanged', async (t) => {
  for (const value of [
    'postgres://user:password@host:5432/database?sslmode=disable',
    'postgres://host/database?sslmode=verify-full&sslrootcert=/etc/ssl/ca.pem',
    'postgres://host/database?sslmode=no-verify',
    'postgresql://host/database',
    'POSTGRES://host/database',
    'postgres://127.0.0.1/',
    'postgres:///database',
    'postgres://[::1]:5432/database',
    'postgres://user:p%40ss%20@host/database',
    'postgres://user:100%@host/database',
    'postgres://user:100%sure of it@host/database',
    'postgres://user@/database?host=/var/run/postgresql',
    'postgres://user:password@%2Fvar%2Frun%2Fpostgresql/database',
    '/var/run/postgresql database',
    'socket:/var/run/postgresql?db=database',
    'socket://user:password@/var/run/postgresql?db=database',
    'postgres://host/database\n',
  ])
    t.equal(postgresUrl(value), value);
});

t.test('any other form is refused, and the message does not repeat it', async (t) => {
  for (const value of [
    'hunter2',
    'host=127.0.0.1 password=hunter2',
    'user:hunter2@host/database',
    'mysql://user:hunter2@host/database',
    'https://user:hunter2@host/database',
    ' postgres://user:hunter2@host/database',
    '"postgres://user:hunter2@host/database"',
    'postgres://user:hunter2@host:99999/database',
    'postgres://user:hunter2@one:5432,two:5432/database',
    'postgres://user:hunter2@:5432/database',
    'postgres://user:hunter2/#@host/database',
    'postgres://user:hunter2%ff@host/database',
  ]) {
    const error = t.throws(() => postgresUrl(value), { name: 'SettingError' }, value) as Error;
    t.match(error.message, /^expected postgres:\/\/user:password@host:port\/database, /);
    t.notMatch(error.message, /hunter2|\n/);
  }
});

t.test('a mode of TLS that pg does not know is refused', async (t) => {
  for (const mode of ['disabled', 'verify_full', 'Require', 'allow', 'disable&sslmode=bogus'])
    t.throws(() => postgresUrl(`postgres://host/database?sslmode=${mode}`), {
      name: 'SettingError',
      message: /sslmode to be one of disable, /,
    });
});
