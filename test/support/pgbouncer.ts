import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Test } from 'tap';
import { deployed, replaced } from './deployed-files.js';
import { freePort } from './free-port.js';
import { type Command, startProgram } from './start-program.js';
import { temporaryFolder } from './temporary-folder.js';

export interface PgBouncer {
  /** The URL of the same database, through PgBouncer. */
  readonly url: string;
  /** Kills it with -9, and starts it again. */
  kill(): Promise<void>;
}

export interface PgBouncerOptions {
  /** `transaction` if absent, as it is deployed. */
  readonly mode?: 'session' | 'transaction';
  readonly sessions?: number;
  /** Further lines of its configuration. */
  readonly more?: string;
}

/** Starts PgBouncer from the files of deploy/pgbouncer, as the one for Compose names them, with few sessions for many clients. */
export async function startPgBouncer(t: Test, databaseUrl: string, options: PgBouncerOptions = {}): Promise<PgBouncer> {
  const { mode = 'transaction', sessions = SESSIONS, more = '' } = options;
  const url = new URL(databaseUrl);
  const port = await freePort();
  const folder = temporaryFolder(t);
  chmodSync(folder, 0o755);
  const password = url.password === '' ? '' : ` password=${decodeURIComponent(url.password)}`;
  const database = url.pathname.slice(1);
  const target = `${database} = host=${url.hostname} port=${url.port} dbname=${database} user=${url.username}${password}`;
  const changes = [
    ['listen_addr = *', 'listen_addr = 127.0.0.1\nunix_socket_dir ='],
    ['listen_port = 6432', `listen_port = ${port}`],
    ['auth_type = scram-sha-256\nauth_file = /etc/pgbouncer/userlist.txt', 'auth_type = any'],
    ['default_pool_size = 40', `default_pool_size = ${sessions}\n${more}`],
    ['pool_mode = transaction', `pool_mode = ${mode}`],
  ] as const;
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  write(
    'pgbouncer.ini',
    changes.reduce((text, [words, by]) => replaced(text, words, by), deployed('pgbouncer/pgbouncer.ini')),
  );
  const composed = replaced(deployed('pgbouncer/compose.ini'), '/etc/pgbouncer', folder);
  write('compose.ini', replaced(composed, 'link_service = host=postgres port=5432 dbname=link_service', target));
  // PgBouncer refuses to run as root.
  const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  const command: Command = ['pgbouncer', ['-q', ...user, join(folder, 'compose.ini')]];
  let started = await startProgram(t, command, port);
  url.host = `127.0.0.1:${port}`;
  return {
    url: url.href,
    async kill() {
      await started.kill();
      started = await startProgram(t, command, port);
    },
  };
}

/** So few that many processes have to take turns. */
const SESSIONS = 6;
