import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Test } from 'tap';
import { tryPort } from '../../shared/base/free-port.js';
import { canConnect } from './can-connect.js';
import { temporaryFolder } from './temporary-folder.js';
import { until } from './until.js';

/** Debian has it where ordinary users have no path to. */
const PATH = `${process.env.PATH ?? ''}${delimiter}/usr/sbin`;

/** False, with a line that says so, where the program is missing and nobody asked for all tests. */
export function hasPgBouncer(t: Test): boolean {
  if (PATH.split(delimiter).some((folder) => existsSync(join(folder, 'pgbouncer')))) return true;
  const repair = 'there is no pgbouncer on this machine: apt-get install -y pgbouncer';
  if ((process.env.CI ?? '') === '') t.comment(`LEFT OUT: ${repair}`);
  else t.fail(repair);
  return false;
}

/** Starts PgBouncer in transaction mode, with few sessions for many. Returns the URL of the same database through it. */
export async function startPgBouncer(t: Test, databaseUrl: string): Promise<string> {
  const url = new URL(databaseUrl);
  const binding = await tryPort('127.0.0.1', 0);
  if (binding.taken) throw new Error(binding.reason);
  const folder = temporaryFolder(t);
  chmodSync(folder, 0o755);
  const password = url.password === '' ? '' : ` password=${decodeURIComponent(url.password)}`;
  const database = url.pathname.slice(1);
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(
    file,
    `[databases]
${database} = host=${url.hostname} port=${url.port} dbname=${database} user=${url.username}${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${binding.port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 6
max_client_conn = 400
`,
  );
  const isRoot = process.getuid?.() === 0;
  // It refuses to run as root.
  const child: ChildProcess = spawn('pgbouncer', ['-q', ...(isRoot ? ['-u', 'nobody'] : []), file], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH },
  });
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-4000);
  });
  const ended = once(child, 'exit');
  t.teardown(async () => {
    child.kill('SIGINT');
    child.kill('SIGTERM');
    await ended;
  });
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`pgbouncer ended: ${said}`);
    return await canConnect(binding.port);
  }, 'pgbouncer to listen');
  url.host = `127.0.0.1:${binding.port}`;
  return url.href;
}
