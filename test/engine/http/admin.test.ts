import { once } from 'node:events';
import { connect } from 'node:net';
import t, { type Test } from 'tap';
import { startAdminServer } from '../../../engine/http/admin.js';
import type { HealthReport } from '../../../engine/http/health.js';

async function setUp(t: Test, ready: HealthReport = { status: 'ok', parts: [] }) {
  const server = await startAdminServer(
    { live: () => ({ status: 'ok', parts: [] }), ready: () => ready, metrics: () => '# HELP é\nx 1\n' },
    '127.0.0.1',
    0,
  );
  t.teardown(() => server.stop());
  return `http://127.0.0.1:${server.port}`;
}

t.test('a failing part answers 503 with every part and its reason', async (t) => {
  const report: HealthReport = {
    status: 'failing',
    parts: [
      { part: 'redirect-0', ok: true, reason: '' },
      { part: 'background/sync', ok: false, reason: 'PostgreSQL is away' },
    ],
  };
  const origin = await setUp(t, report);
  const response = await fetch(`${origin}/health/ready`);
  t.equal(response.status, 503);
  t.equal(response.headers.get('content-type'), 'application/json; charset=utf-8');
  t.equal(response.headers.get('cache-control'), 'no-store');
  t.same(await response.json(), report);
  t.equal((await fetch(`${origin}/health/live?probe=1`)).status, 200);
});

t.test('metrics have the type that Prometheus expects', async (t) => {
  const response = await fetch(`${await setUp(t)}/metrics`);
  t.equal(response.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8');
  t.equal(await response.text(), '# HELP é\nx 1\n');
});

t.test('HEAD answers as GET without a body', async (t) => {
  const response = await fetch(`${await setUp(t)}/metrics`, { method: 'HEAD' });
  t.equal(response.status, 200);
  t.equal(response.headers.get('content-length'), '14');
  t.equal(await response.text(), '');
});

for (const [method, path, status] of [
  ['POST', '/metrics', 405],
  ['DELETE', '/health/live', 405],
  ['GET', '/', 404],
  ['GET', '/metrics/', 404],
  ['GET', '/health', 404],
  ['POST', '/nothing', 404],
] as const)
  t.test(`${method} ${path} is ${status}`, async (t) => {
    const response = await fetch(`${await setUp(t)}${path}`, { method });
    t.equal(response.status, status);
    t.equal(response.headers.get('content-type'), 'application/problem+json');
    t.equal(response.headers.get('allow'), status === 405 ? 'GET, HEAD' : null);
    t.match(await response.json(), { type: 'about:blank', status });
  });

t.test('a body is not read: the answer ends the connection', async (t) => {
  const { port } = new URL(await setUp(t));
  const socket = connect(Number(port), '127.0.0.1');
  await once(socket, 'connect');
  socket.write('POST /metrics HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\nabc');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(socket, 'close');
  t.match(Buffer.concat(chunks).toString(), /^HTTP\/1\.1 405 /);
});

t.test('a port that cannot be had is an error with its code', async (t) => {
  const { port } = new URL(await setUp(t));
  await t.rejects(
    startAdminServer(
      { live: () => ({ status: 'ok', parts: [] }), ready: () => ({ status: 'ok', parts: [] }), metrics: () => '' },
      '127.0.0.1',
      Number(port),
    ),
    {
      code: 'EADDRINUSE',
    },
  );
});
