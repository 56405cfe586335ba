import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { PASSTHROUGH_BYTES_MAX } from '../../shared/base/limits.js';
import { converse } from '../engine/http/raw-http.js';
import { attackThroughProxy, countLostVisits, visitBesideHostileRows, visitThrough } from '../fault/proxy-scenarios.js';
import { canConnect } from '../support/can-connect.js';
import { hasProxy, PROXY_KINDS, startPlainNginx, startProxy } from '../support/proxies.js';
import { startEngine, startEngines } from './engines.js';

/** Few visits; test/fault/hostile-proxies.test.ts is the long form. */
const VISITS = 10;
const HOST = 'Host: go.shop.example\r\n';

t.jobs = 3;
for (const kind of PROXY_KINDS)
  t.test(`the ${kind} of deploy/`, async (t) => {
    if (!hasProxy(t, kind)) return;
    const engines = await startEngines(t);
    const proxy = await startProxy(
      t,
      kind,
      engines.map(({ port }) => port),
    );
    const { port, tls } = proxy;
    const statusOf = async (bytes: string) => (await converse(port, bytes, { tls, answers: 1, waitMs: 20_000 })).answers[0]?.status;

    t.test(`promise R19, ${kind}: no visit is lost while hostile requests are sent, and their bodies do not reach an engine`, async (t) => {
      t.equal(await visitBesideHostileRows(proxy, VISITS), 0);
      for (const { host } of engines) {
        const { figures } = host.stats();
        t.same([figures.of('body_refused'), figures.of('method_not_allowed')], [0, 0], 'no body and no other method reaches an engine');
        // Caddy cannot see that a chunked body is announced but empty.
        if (kind !== 'caddy') t.equal(figures.of('dropped'), 0, 'no engine ended a connection');
      }
    });

    t.test(`${kind}: a click has the address of the connection to the proxy, whatever the headers claim`, async (t) => {
      const headers = { 'user-agent': 'sought', 'x-forwarded-for': '6.6.6.6', 'x-real-ip': '6.6.6.6', forwarded: 'for=6.6.6.6' };
      t.equal(await visitThrough(proxy, '/abc', { headers, localAddress: '127.0.0.2' }), 302);
      const clicks = engines.flatMap(({ ledger }) => ledger.clicks).filter((click) => click.user_agent === 'sought');
      t.same(
        clicks.map((click) => click.address_text),
        ['127.0.0.2'],
      );
    });

    t.test(`${kind}: the longest answer passes`, async (t) => {
      const query = `x=${'"'.repeat(PASSTHROUGH_BYTES_MAX - 2)}`;
      const { answers } = await converse(port, `GET /longest?${query} HTTP/1.1\r\n${HOST}\r\n`, { tls, answers: 1, waitMs: 20_000 });
      t.equal(answers[0]?.status, 302);
      t.ok((answers[0]?.headers.get('location') ?? '').length > 29_000);
    });

    t.test(`${kind}: requests that uWebSockets.js cannot parse are normalised or refused by the proxy`, async (t) => {
      for (let visit = 0; visit < engines.length; visit++)
        t.equal(await statusOf(`GET http://go.shop.example/abc HTTP/1.1\r\n${HOST}\r\n`), 302, 'an absolute target is served');
      t.equal(
        await statusOf(`GET /abc HTTP/1.1\r\n${HOST}User-Agent: a\x01b\r\n\r\n`),
        400,
        'a control character in the user agent is refused',
      );
      const unread = await statusOf(`GET /abc HTTP/1.1\r\n${HOST}X: a\x01b\r\n\r\n`);
      t.equal(unread, kind === 'nginx' ? 302 : 400, 'a control character in an unused header is refused or dropped');
      const nameless = await statusOf(`GET /abc HTTP/1.1\r\n${HOST}: b\r\nContent-Length: 5\r\n\r\nabcde`);
      t.equal(nameless, kind === 'caddy' ? 413 : 400, 'a header without a name, followed by a body, is refused');
      t.equal(await statusOf(`POST /abc HTTP/1.1\r\n${HOST}Content-Length: 0\r\n\r\n`), 405, 'another method is refused');
    });

    t.test(`${kind}: if the connection to one engine fails, visits go to the other`, async (t) => {
      await engines[0].stop();
      t.notOk(await canConnect(engines[0].port));
      // The proxy needs a moment to notice that its idle connections have ended. A visit sent over one of them meanwhile does not
      // count as a failed connection.
      await sleep(250);
      t.equal(await countLostVisits(proxy, VISITS), 0);
    });
  });

t.test('hostile requests through each proxy lose no visit and end no engine', async (t) => {
  for (const kind of PROXY_KINDS) if (hasProxy(t, kind)) await attackThroughProxy(t, kind, { requests: 500, visits: 5 });
});

/** An engine that ends each connection without an answer when a visit arrives, and reports that it is ready. */
async function startSilentEngine(t: Test): Promise<{ readonly port: number; readonly requests: () => number }> {
  let requests = 0;
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      if (bytes.includes('/health/ready')) return void socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
      requests++;
      socket.destroy();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => void server.close());
  return { port: (server.address() as AddressInfo).port, requests: () => requests };
}

// nginx cannot tell such a request from a failed connection, as its configuration file says.
for (const kind of ['haproxy', 'caddy'] as const)
  t.test(`${kind}: a request that one engine has received is not sent to the other`, async (t) => {
    if (!hasProxy(t, kind)) return;
    const engines = [await startSilentEngine(t), await startSilentEngine(t)];
    const proxy = await startProxy(
      t,
      kind,
      engines.map(({ port }) => port),
    );
    for (let visit = 1; visit <= VISITS; visit++) {
      t.equal(await visitThrough(proxy, '/abc'), 502);
      t.equal(
        engines.reduce((sum, { requests }) => sum + requests(), 0),
        visit,
        'each visit is one request to an engine',
      );
    }
  });

t.test('promise R19: an nginx with default settings does not treat the engines as down after a request with a body', async (t) => {
  if (!hasProxy(t, 'nginx')) return;
  const engines = [await startEngine(t, 'uws'), await startEngine(t, 'uws')];
  const proxy = await startPlainNginx(
    t,
    engines.map(({ port }) => port),
  );
  for (let round = 0; round < VISITS; round++) {
    const { answers } = await converse(proxy.port, `GET /abc HTTP/1.1\r\n${HOST}Content-Length: 1\r\n\r\na`, { answers: 1 });
    t.equal(answers[0]?.status, 413);
    t.equal(await visitThrough(proxy, '/abc'), 302);
  }
});

t.test('the nginx of deploy/ passes on every header that an engine reads', async (t) => {
  const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
  const names = [...read('engine/http/facts.ts').matchAll(/name === '([a-z-]+)'/g)].map(([, name]) => name as string);
  t.ok(names.includes('user-agent') && names.length > 8, 'the names of headers are found in the source');
  const file = read('deploy/nginx/link-hosts.conf').toLowerCase();
  for (const name of names) {
    if (['host', 'content-length', 'transfer-encoding', 'x-forwarded-for'].includes(name)) continue;
    const variable = `$http_${name.replaceAll('-', '_')}`;
    t.match(file, `proxy_set_header ${name} ${variable};`, name);
    t.match(/^map "(.*)" \$link_host_control_character/m.exec(file)?.[1] ?? '', variable, `${name} is checked for control characters`);
  }
});
