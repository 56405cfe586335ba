import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import t from 'tap';
import { until } from '../support/until.js';
import { environmentRecord, linkRecord } from './fixtures.js';
import { converse, request } from './http/raw-http.js';
import { type Served, serve } from './visit/served.js';

const status = async (served: Served, host: string) =>
  (await converse(served.port, request('/abc', { Host: host }), { answers: 1 })).answers[0]?.status;

t.test('the first visit after a change uses the new table', async (t) => {
  const served = await serve('uws');
  t.teardown(() => served.stop());
  served.links.set('abc', linkRecord());
  t.equal(await status(served, 'new.example'), 404);
  served.config.environments = [
    environmentRecord(),
    environmentRecord({ number: 2, link_host: 'new.example', open_host: 'o.new.example' }),
  ];
  served.config.version++;
  t.equal(await status(served, 'new.example'), 302);
  t.equal(await status(served, 'go.shop.example'), 302);
  t.equal(served.host.knowsHost('new.example'), 'known');
  served.config.environments = [environmentRecord()];
  served.config.version++;
  await until(() => served.host.knowsHost('new.example') === 'unknown', 'the next table, if building this one took long');
  t.equal(await status(served, 'new.example'), 404);
});

t.test('a process without visitors finds a new table too, so that it releases a store that was replaced', async (t) => {
  const served = await serve('uws');
  t.teardown(() => served.stop());
  let reads = 0;
  const environments = [environmentRecord()];
  Object.defineProperty(served.config, 'environments', { get: () => ++reads && environments });
  served.config.version++;
  await until(() => reads > 0, 'the table to be read');
});

t.test('a host that becomes known during a visit of an incomplete table is not called unknown', async (t) => {
  const served = await serve('uws', { environments: [] });
  t.teardown(() => served.stop());
  let looks = 0;
  // The configuration arrives after the first look of the next visit.
  Object.defineProperty(served.config, 'version', { get: () => (++looks === 1 ? 1 : 2) });
  served.config.environments = [environmentRecord()];
  const path = '/.well-known/apple-app-site-association';
  const ask = async () => (await converse(served.port, request(path, { Host: 'go.shop.example' }), { answers: 1 })).answers[0]?.status;
  t.equal(await ask(), 503);
  t.not(await ask(), 503);
});

t.test('before the first configuration has arrived visitors are asked to try again', async (t) => {
  const served = await serve('uws', { environments: [] });
  t.teardown(() => served.stop());
  const { answers } = await converse(served.port, request('/abc'), { answers: 1 });
  t.same([answers[0]?.status, answers[0]?.headers.get('retry-after')], [503, '1']);
  served.links.set('abc', linkRecord());
  served.config.environments = [environmentRecord()];
  served.config.version++;
  t.equal(await status(served, 'go.shop.example'), 302);
});

t.test('while the store is empty because it is rebuilt, the last table stays in use', async (t) => {
  const served = await serve('uws');
  t.teardown(() => served.stop());
  served.links.set('abc', linkRecord());
  served.config.environments = [];
  served.config.version++;
  t.equal(await status(served, 'go.shop.example'), 302);
});

t.test('an environment that cannot be compiled leaves the last table in place, and later tables are used', async (t) => {
  const served = await serve('uws');
  t.teardown(() => served.stop());
  served.links.set('abc', linkRecord());
  served.config.environments = [environmentRecord({ ios_apps: null as never })];
  served.config.version++;
  t.equal(await status(served, 'go.shop.example'), 302);
  served.config.environments = [environmentRecord({ link_host: 'later.example' })];
  served.config.version++;
  t.equal(await status(served, 'later.example'), 302);
});

t.test('health says whether the host serves, and a host may be stopped more than once', async (t) => {
  const served = await serve('uws');
  t.same(served.host.health(), [{ part: 'link-hosts', ok: true, reason: '' }]);
  const first = served.stop();
  t.same(served.host.health(), [{ part: 'link-hosts', ok: false, reason: 'draining' }]);
  await Promise.all([first, served.stop()]);
  await served.stop();
});

const IDLE = 500;

/** Opens connections that have received one answer each and stay open. */
function idleConnections({ port }: Served): Promise<readonly Socket[]> {
  return Promise.all(
    Array.from({ length: IDLE }, async () => {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => {}); // the host may reset the connection
      socket.write(request('/abc'));
      await once(socket, 'data');
      return socket.resume();
    }),
  );
}

// uWebSockets.js has no call that closes only idle connections, so they stay open until the deadline.
for (const [listener, deadlineMs, tookMsMax] of [
  ['node', 10_000, 3_000],
  ['uws', 300, 3_000],
] as const)
  t.test(`${listener}: a stop closes ${IDLE} idle connections ${listener === 'node' ? 'at once' : 'at its deadline'}`, async (t) => {
    const served = await serve(listener);
    t.teardown(() => served.stop());
    served.links.set('abc', linkRecord());
    const sockets = await idleConnections(served);
    const closed = Promise.all(sockets.map((socket) => once(socket, 'close')));
    const began = performance.now();
    await served.stop(deadlineMs);
    await closed;
    const tookMs = performance.now() - began;
    t.ok(tookMs < tookMsMax, `it took ${Math.round(tookMs)} ms`);
  });

t.test('the metrics of a host count what it answered', async (t) => {
  const served = await serve('uws');
  t.teardown(() => served.stop());
  served.links.set('abc', linkRecord());
  await status(served, 'go.shop.example');
  await status(served, 'nobody.example');
  const text = await served.registry.metrics();
  t.match(text, 'link_host_requests_total{outcome="redirect"} 1\n');
  t.match(text, 'link_host_requests_total{outcome="unknown_host"} 1\n');
  t.match(text, 'link_host_clicks_total{result="stored"} 1\n');
});
