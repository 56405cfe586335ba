import { once } from 'node:events';
import { connect } from 'node:net';
import t, { type Test } from 'tap';
import { type AdminPages, startAdminServer } from '../../../engine/admin/admin-server.js';
import type { HealthReport } from '../../../engine/processes/health.js';

const WELL: HealthReport = { status: 'ok', parts: [] };
const PAGES: AdminPages = {
  live: () => WELL,
  ready: () => WELL,
  metrics: () => '# HELP é\nx 1\n',
  knowsHost: async () => 'unknown',
};

async function setUp(t: Test, pages: Partial<AdminPages> = {}) {
  const server = await startAdminServer({ ...PAGES, ...pages }, '127.0.0.1', 0);
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
  const origin = await setUp(t, { ready: () => report });
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

t.test('a port that cannot be opened is an error with its code', async (t) => {
  const { port } = new URL(await setUp(t));
  await t.rejects(startAdminServer(PAGES, '127.0.0.1', Number(port)), { code: 'EADDRINUSE' });
});

t.test('a TLS front end may have certificates for the hosts that are served, in any spelling, and for no other host', async (t) => {
  const asked: string[] = [];
  const origin = await setUp(t, {
    knowsHost: async (host) => {
      asked.push(host);
      if (host === 'down.example') return 'uncertain';
      return host === 'go.shop.example' || host === 'xn--mnchen-3ya.example' ? 'known' : 'unknown';
    },
  });
  for (const [query, status, host] of [
    ['domain=go.shop.example', 200, 'go.shop.example'],
    ['domain=GO.Shop.Example.', 200, 'go.shop.example'],
    ['domain=go.shop.example:443', 200, 'go.shop.example'],
    ['domain=m%C3%BCnchen.example', 200, 'xn--mnchen-3ya.example'],
    ['domain=xn--mnchen-3ya.example', 200, 'xn--mnchen-3ya.example'],
    ['x=1&domain=go.shop.example', 200, 'go.shop.example'],
    ['domain=stranger.example', 404, 'stranger.example'],
    ['domain=sub.go.shop.example', 404, 'sub.go.shop.example'],
    ['domain=*.shop.example', 404, '*.shop.example'],
    ['domain=127.0.0.1', 404, '127.0.0.1'],
    ['domain=down.example', 503, 'down.example'],
    ['domain=go.shop.example%00', 404, null],
    ['domain=go.shop.example%2F', 404, null],
    ['domain=http://go.shop.example', 404, null],
    ['domain=go.shop.example:x', 404, null],
    ['domain=[::1]', 404, null],
    [`domain=${'a'.repeat(5000)}`, 404, null],
    ['domain=', 400, null],
    ['', 400, null],
    ['domain=go.shop.example&domain=go.shop.example', 400, null],
    ['host=go.shop.example', 400, null],
  ] as const) {
    asked.length = 0;
    const response = await fetch(`${origin}/internal/tls-allowed?${query}`);
    t.same([response.status, asked], [status, host === null ? [] : [host]], query.slice(0, 60));
    t.equal(response.headers.get('retry-after'), status === 503 ? '1' : null);
    t.equal(response.headers.get('content-type'), status === 200 ? 'text/plain; charset=utf-8' : 'application/problem+json');
  }
  t.equal((await fetch(`${origin}/internal/tls-allowed?domain=go.shop.example`, { method: 'POST' })).status, 405);
});
