import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import t, { type Test } from 'tap';
import { hasProxy, startApiProxy } from '../support/proxies.js';
import { until } from '../support/until.js';

/** A control plane as HAProxy sees it: the port of its API, which answers who asks, and the port of its health check. */
async function startControlPlane(t: Test, name: string) {
  let ready = true;
  const api = createServer((request, response) =>
    response.end(JSON.stringify({ name, from: request.headers['x-forwarded-for'], method: request.method })),
  );
  const admin = createServer((_request, response) => response.writeHead(ready ? 200 : 503).end());
  const ports: number[] = [];
  for (const server of [api, admin]) {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    t.teardown(() => {
      server.close();
      server.closeAllConnections();
    });
    ports.push((server.address() as AddressInfo).port);
  }
  const drain = () => {
    ready = false;
  };
  return { port: ports[0] as number, adminPort: ports[1] as number, drain };
}

t.test(
  'deploy/haproxy/control-planes.cfg spreads requests, skips a draining control plane, and answers with an API problem if none is ready',
  async (t) => {
    if (!hasProxy(t, 'haproxy')) return;
    const [first, second] = [await startControlPlane(t, 'first'), await startControlPlane(t, 'second')];
    const port = await startApiProxy(t, [first, second]);
    const ask = () => fetch(`http://127.0.0.1:${port}/v1/links`, { method: 'POST', body: '{}', headers: { 'x-forwarded-for': '6.6.6.6' } });
    const namesOf = async (times: number) => {
      const names = new Set<string>();
      for (let asked = 0; asked < times; asked++) {
        const response = await ask();
        if (!response.ok) return new Set([String(response.status)]);
        const { name, from, method } = (await response.json()) as { name: string; from: string; method: string };
        t.same([from, method], ['127.0.0.1', 'POST'], 'the forwarded address is that of the connection, not one from the request');
        names.add(name);
      }
      return names;
    };
    await until(async () => (await namesOf(10)).size === 2, 'requests of one connection to be spread');
    first.drain();
    await until(async () => [...(await namesOf(10))].join() === 'second', 'the draining control plane to get no requests');
    second.drain();
    const away = await until(async () => {
      const response = await ask();
      return response.status === 503 ? response : null;
    }, 'an answer without any ready control plane');
    t.same([away.headers.get('content-type'), away.headers.get('retry-after')], ['application/problem+json', '5']);
    t.match(await away.json(), { type: 'urn:problem:service_unavailable', status: 503, code: 'service_unavailable', detail: String });
  },
);
