import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import t, { type Test } from 'tap';
import { createPool, createDatabase as databaseOf } from '../../control-plane/db/database.js';
import { createKey } from '../../control-plane/keys/keys.js';
import { APP_BODIES_BYTES_MAX, BODY_BYTES_MAX, SDK_BODY_BYTES_MAX, SERVER_BODIES_BYTES_MAX } from '../../shared/base/limits.js';
import { makeProject, startControlPlane } from '../support/control-plane.js';
import { createDatabase } from '../support/database.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** Beside the bodies themselves: 1,600 connections, their buffers, and what the collector has not given back yet. */
const BESIDE_BYTES = 160 * 1024 * 1024;

/** `RssAnon` of proc_pid_status(5). */
function anonymousBytes(pid: number): number {
  const kilobytes = /^RssAnon:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) * 1024;
}

/** Sends all of a request but the last byte of its body, and keeps the connection open. Resolves when it was taken, or refused. */
function hold(t: Test, port: number, path: string, key: string, bytes: number): Promise<void> {
  const head = `POST /v1${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${bytes}\r\n\r\n`;
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    t.teardown(() => socket.destroy());
    socket.on('error', () => resolve());
    socket.on('close', () => resolve());
    socket.on('data', () => resolve());
    socket.write(head);
    socket.write(Buffer.alloc(bytes - 1, ' '), () => resolve());
  });
}

t.test(
  'bodies that never end are held within a bound of memory, with any key (promise A12)',
  {
    skip: process.platform === 'linux' ? false : 'memory is read from /proc',
  },
  async (t) => {
    const own = await createDatabase();
    t.teardown(() => own.drop());
    const project = await makeProject(own.url);
    const pool = createPool(own.url, 1, 'test', () => {});
    const wanted = { environmentId: project.environmentId, environment: 'live', kind: 'publishable', name: 'app' } as const;
    const { key: appKey } = await createKey(databaseOf(pool), wanted, Date.now());
    await pool.end();
    const controlPlane = await startControlPlane({ databaseUrl: own.url, dir: temporaryFolder(t) });
    t.teardown(() => controlPlane.kill());
    const port = Number(new URL(controlPlane.baseUrl).port);
    const create = () => controlPlane.call(project, 'POST', '/links', {});
    for (let warm = 0; warm < 200; warm++) await create();
    const before = anonymousBytes(controlPlane.pid);
    let most = 0;
    const rounds = [
      ['/sdk/links', appKey, BODY_BYTES_MAX - 1],
      ['/sdk/links', appKey, SDK_BODY_BYTES_MAX - 1],
      ['/links', project.secretKey, BODY_BYTES_MAX - 1],
      ['/links', `sk_live_${'a'.repeat(32)}`, BODY_BYTES_MAX - 1],
    ] as const;
    for (const [path, key, bytes] of rounds) {
      await Promise.all(Array.from({ length: 400 }, () => hold(t, port, path, key, bytes)));
      most = Math.max(most, anonymousBytes(controlPlane.pid));
      t.comment(`${path} ${key.slice(0, 3)} ${bytes}: ${Math.round((anonymousBytes(controlPlane.pid) - before) / 1024 / 1024)} MiB more`);
    }
    const boundBytes = SERVER_BODIES_BYTES_MAX + APP_BODIES_BYTES_MAX + BESIDE_BYTES;
    t.ok(most - before < boundBytes, `${most - before} bytes more, where ${boundBytes} are allowed`);
    t.equal(controlPlane.child.exitCode, null);
  },
);
