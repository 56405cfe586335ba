import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import t from 'tap';
import { askHealth } from '../../../deploy/images/health.js';
import { readTreeFile } from '../../support/source-tree.js';

t.test('liveness and readiness are asked separately, on the port that the settings name', async (t) => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url as string);
    response.writeHead(request.url === '/health/live' ? 200 : 503).end('PostgreSQL is away');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  const port = String((server.address() as AddressInfo).port);
  t.equal(await askHealth(['engine', 'live'], { ENGINE_ADMIN_PORT: port }), '');
  t.equal(await askHealth(['engine', 'ready'], { ENGINE_PORT: port }), '503 PostgreSQL is away');
  t.equal(await askHealth(['control-plane', 'live'], { CONTROL_PLANE_ADMIN_PORT: port }), '');
  t.equal(await askHealth(['control-plane', 'ready'], { CONTROL_PLANE_ADMIN_PORT: port }), '503 PostgreSQL is away');
  t.same(asked, ['/health/live', '/health/ready', '/health/live', '/health/ready']);
});

t.test('a process that does not listen, a malformed port and a wrong command line each give one line', async (t) => {
  t.match(await askHealth(['engine', 'live'], { ENGINE_ADMIN_PORT: '9' }), /^fetch failed: /);
  t.match(await askHealth(['engine', 'live'], { ENGINE_ADMIN_PORT: 'x' }), /^ENGINE_ADMIN_PORT is malformed/);
  for (const parameters of [[], ['engine'], ['engine', 'well'], ['both', 'live'], ['engine', 'live', 'ready']])
    t.match(await askHealth(parameters, {}), /^usage: /);
});

t.test('the health checks of the images ask for liveness, so that an outage of PostgreSQL ends no container', async (t) => {
  const checks = [...readTreeFile('deploy/Dockerfile').matchAll(/^HEALTHCHECK .*CMD \["node", "(\S+)", "(\S+)", "(\S+)"\]$/gm)];
  t.same(
    checks.map(([, file, half, question]) => [file, half, question]),
    [
      ['dist/deploy/images/health.js', 'control-plane', 'live'],
      ['dist/deploy/images/health.js', 'engine', 'live'],
    ],
  );
});
