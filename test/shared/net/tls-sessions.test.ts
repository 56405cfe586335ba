import { createServer as createTcpServer } from 'node:net';
import { createServer, type TLSSocket } from 'node:tls';
import t, { type Test } from 'tap';
import { TLS_SESSIONS_MAX } from '../../../shared/base/limits.js';
import { ConnectFailure, connectGuarded } from '../../../shared/net/guarded-connector.js';
import { TlsSessions } from '../../../shared/net/tls-sessions.js';
import { TLS_CERTIFICATE, TLS_KEY, TLS_NAME } from '../../support/tls.js';
import { until } from '../../support/until.js';

const HOUR_MS = 60 * 60 * 1000;

async function listen(t: Test): Promise<number> {
  const sockets = new Set<TLSSocket>();
  const server = createServer({ key: TLS_KEY, cert: TLS_CERTIFICATE }, (socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
  });
  server.on('tlsClientError', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as { port: number }).port;
}

/** Whether a new connection resumed a session. */
async function resumes(tls: TlsSessions, port: number, name = TLS_NAME): Promise<boolean> {
  const origin = `https://${name}:${port}`;
  const options = { allow: [origin], tls, systemResolver: async () => ['127.0.0.1'] };
  const socket = (await connectGuarded(new URL(origin), options, AbortSignal.timeout(5000))) as TLSSocket;
  const resumed = socket.isSessionReused();
  // The session arrives after the handshake.
  await until(() => tls.of(origin), 'a session to be kept');
  socket.destroy();
  return resumed;
}

t.test('the second connection to an origin resumes the session of the first', async (t) => {
  const [one, other] = [await listen(t), await listen(t)];
  const tls = new TlsSessions(TLS_CERTIFICATE);
  t.equal(await resumes(tls, one), false);
  t.equal(await resumes(tls, one), true);
  t.equal(await resumes(tls, one), true);
  t.equal(await resumes(tls, other), false, 'another origin has its own session');
});

t.test('a certificate is verified again after an hour, even if its session was resumed in between', async (t) => {
  const port = await listen(t);
  let now = 0;
  const tls = new TlsSessions(TLS_CERTIFICATE, () => now);
  t.equal(await resumes(tls, port), false);
  now = HOUR_MS - 1;
  t.equal(await resumes(tls, port), true);
  now = HOUR_MS;
  t.equal(await resumes(tls, port), false);
  now = 2 * HOUR_MS - 1;
  t.equal(await resumes(tls, port), true);
});

t.test('a session is not used for another name or before a certificate was verified', async (t) => {
  const port = await listen(t);
  const tls = new TlsSessions(TLS_CERTIFICATE);
  t.equal(await resumes(tls, port), false);
  await t.rejects(resumes(tls, port, 'other.example.com'), ConnectFailure);
  await t.rejects(resumes(new TlsSessions(), port), ConnectFailure);
  t.equal(tls.of(`https://other.example.com:${port}`), undefined);
});

/** Simulates a connection whose peer sends a session. */
function keep(tls: TlsSessions, origin: string): void {
  const socket = {
    isSessionReused: () => false,
    on: (_event: string, listener: (session: Buffer) => void) => listener(Buffer.from(origin)),
  };
  tls.keepOf(socket as unknown as TLSSocket, origin);
}

t.test('a failed handshake removes the session that it used', async (t) => {
  const server = createTcpServer((socket) => socket.on('error', () => {}).end('no TLS'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  const tls = new TlsSessions(TLS_CERTIFICATE);
  const { port } = server.address() as { port: number };
  const origin = `https://${TLS_NAME}:${port}`;
  keep(tls, origin);
  t.ok(tls.of(origin));
  await t.rejects(resumes(tls, port), ConnectFailure);
  t.equal(tls.of(origin), undefined);
});

t.test('at most as many sessions are kept as the limit says, and the oldest is removed first', async (t) => {
  const tls = new TlsSessions();
  for (let index = 0; index <= TLS_SESSIONS_MAX; index++) keep(tls, `https://${index}.example.com`);
  t.equal(tls.of('https://0.example.com'), undefined);
  t.ok(tls.of('https://1.example.com'));
  t.ok(tls.of(`https://${TLS_SESSIONS_MAX}.example.com`));
});
