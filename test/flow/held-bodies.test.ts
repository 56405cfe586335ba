import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import t, { type Test } from 'tap';
import { createPool, createDatabase as databaseOf } from '../../control-plane/db/database.js';
import { createKey } from '../../control-plane/keys/keys.js';
import { BODY_BYTES_MAX, SDK_BODY_BYTES_MAX, SERVER_BODIES_BYTES_MAX } from '../../shared/base/limits.js';
import { makeProject, startControlPlane } from '../support/control-plane.js';
import { createDatabase } from '../support/database.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** Promise A12, for keys that anybody can have and for unknown keys. */
const STRANGERS_BYTES_MAX = 64 * 1024 * 1024;
const STRANGERS = 2_000;
/** With a customer's secret key, bulk calls may be under way: their bodies, and as much memory again that has not been collected yet. */
const CUSTOMER_BYTES_MAX = STRANGERS_BYTES_MAX + 2 * SERVER_BODIES_BYTES_MAX;
const CUSTOMERS = 400;

/** The content of all bodies. */
const SPACES = Buffer.alloc(BODY_BYTES_MAX, ' ');

/** `RssAnon` of proc_pid_status(5), in bytes. */
function anonymousBytes(pid: number): number {
  const kilobytes = /^RssAnon:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) * 1024;
}

/**
 * Sends a request without the last byte of its body, and keeps the connection open. Resolves when the bytes are sent, or when the
 * server has answered or closed the connection.
 */
function hold(t: Test, port: number, path: string, key: string, bytes: number): Promise<void> {
  const head = `POST /v1${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${bytes}\r\n\r\n`;
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    t.teardown(() => socket.destroy());
    socket.on('error', () => resolve());
    socket.on('close', () => resolve());
    socket.on('data', () => resolve());
    socket.write(head);
    socket.write(SPACES.subarray(0, bytes - 1), () => resolve());
  });
}

const skip = process.platform === 'linux' ? false : 'memory is read from /proc';

t.test('unfinished request bodies take a bounded amount of memory, whatever the key (promise A12)', { skip }, async (t) => {
  const own = await createDatabase();
  t.teardown(() => own.drop());
  const project = await makeProject(own.url);
  const pool = createPool(own.url, 1, 'test', () => {});
  const wanted = { environmentId: project.environmentId, environment: 'live', kind: 'publishable', name: 'app' } as const;
  const { key: appKey } = await createKey(databaseOf(pool), wanted, Date.now());
  await pool.end();
  const senders = {
    'with a publishable key, of the size an app may send': ['/sdk/links', appKey, SDK_BODY_BYTES_MAX - 1, STRANGERS],
    'with a publishable key, larger': ['/sdk/links', appKey, BODY_BYTES_MAX - 1, STRANGERS],
    'with a key that is unknown': ['/links', `sk_live_${'a'.repeat(32)}`, BODY_BYTES_MAX - 1, STRANGERS],
    'with a secret key': ['/links', project.secretKey, BODY_BYTES_MAX - 1, CUSTOMERS],
  } as const;
  for (const [title, [path, key, bytes, count]] of Object.entries(senders))
    await t.test(title, async (t) => {
      const controlPlane = await startControlPlane({ databaseUrl: own.url, dir: temporaryFolder(t) });
      t.teardown(() => controlPlane.kill());
      const port = Number(new URL(controlPlane.baseUrl).port);
      for (let warm = 0; warm < 200; warm++) await controlPlane.call(project, 'POST', '/links', {});
      const before = anonymousBytes(controlPlane.pid);
      await Promise.all(Array.from({ length: count }, () => hold(t, port, path, key, bytes)));
      const more = anonymousBytes(controlPlane.pid) - before;
      const allowed = count === STRANGERS ? STRANGERS_BYTES_MAX : CUSTOMER_BYTES_MAX;
      t.ok(more < allowed, `${count} bodies: ${more} bytes more, where ${allowed} are allowed`);
      t.comment(`${count} bodies ${title}: ${Math.round(more / 1024 / 1024)} MiB more`);
      t.equal(controlPlane.child.exitCode, null);
    });
});
