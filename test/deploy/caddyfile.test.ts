import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, get as getPlain, type IncomingHttpHeaders, type RequestOptions } from 'node:http';
import { get as getTls } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import t, { type Test } from 'tap';
import { startAdminServer } from '../../engine/admin/admin-server.js';
import { AddressRanges } from '../../shared/net/address-ranges.js';
import { environmentRecord, linkRecord } from '../engine/fixtures.js';
import { serve } from '../engine/visit/served.js';
import { freePort } from '../support/free-port.js';
import { hasProxy } from '../support/proxies.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';

const CADDYFILE = fileURLToPath(new URL('../../../deploy/Caddyfile', import.meta.url));
const WELL = { status: 'ok', parts: [] } as const;

interface Answer {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

function answerOf(get: typeof getPlain, options: RequestOptions): Promise<Answer> {
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', agent: false, ...options }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks).toString() }));
    }).on('error', reject);
  });
}

/**
 * Caddy dates a certificate with the second in which it makes it, during the handshake. OpenSSL reads the time from a clock that
 * is up to one kernel tick behind, so that at the turn of a second it finds the certificate not yet valid.
 */
async function answerOnceValid(options: RequestOptions): Promise<Answer> {
  try {
    return await answerOf(getTls, options);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'CERT_NOT_YET_VALID') throw error;
    await sleep(CLOCK_BEHIND_MS_MAX);
    return answerOf(getTls, options);
  }
}

const CLOCK_BEHIND_MS_MAX = 100;

/** Both halves as Caddy sees them: link hosts and their admin port, and a server that answers with the headers it received. */
async function startUpstreams(t: Test) {
  const served = await serve('uws', { trustedProxies: AddressRanges.parse(['127.0.0.0/8']) });
  t.teardown(() => served.stop());
  served.links.set('abc', linkRecord());
  const pages = { live: () => WELL, ready: () => WELL, metrics: () => '', knowsHost: async (host: string) => served.host.knowsHost(host) };
  const admin = await startAdminServer(pages, '127.0.0.1', 0);
  t.teardown(() => admin.stop());
  const controlPlane = createServer((request, response) => response.end(JSON.stringify(request.headers)));
  controlPlane.listen(0, '127.0.0.1');
  await once(controlPlane, 'listening');
  t.teardown(() => controlPlane.close());
  const endControlPlane = () => {
    controlPlane.close();
    controlPlane.closeAllConnections();
  };
  return { served, adminPort: admin.port, controlPlanePort: (controlPlane.address() as AddressInfo).port, endControlPlane };
}

async function startCaddy(t: Test, { served, adminPort, controlPlanePort }: Awaited<ReturnType<typeof startUpstreams>>) {
  const home = temporaryFolder(t);
  const [httpPort, httpsPort] = [await freePort(), await freePort()];
  const caddy: ChildProcess = spawn('caddy', ['run', '--config', CADDYFILE, '--adapter', 'caddyfile'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      PATH: process.env.PATH,
      HOME: home,
      XDG_DATA_HOME: home,
      XDG_CONFIG_HOME: home,
      HTTP_PORT: String(httpPort),
      HTTPS_PORT: String(httpsPort),
      CADDY_ADMIN: 'off',
      CERTIFICATE_ISSUER: 'internal',
      ENGINE_ADMIN_ORIGIN: `http://127.0.0.1:${adminPort}`,
      ENGINE_ADDRESS: `127.0.0.1:${served.port}`,
      CONTROL_PLANE_ADDRESS: `127.0.0.1:${controlPlanePort}`,
    },
  });
  let said = '';
  caddy.stderr?.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  const ended = once(caddy, 'exit');
  t.teardown(async () => {
    caddy.kill();
    await ended;
  });
  const authority = join(home, 'caddy', 'pki', 'authorities', 'local', 'root.crt');
  await until(() => {
    if (caddy.exitCode !== null) throw new Error(`caddy ended: ${said}`);
    return existsSync(authority) && said.includes('serving initial configuration');
  }, 'caddy to serve');
  return { httpPort, httpsPort, ca: readFileSync(authority) };
}

t.test('deploy/Caddyfile gets certificates only for hosts that the service serves', async (t) => {
  if (!hasProxy(t, 'caddy')) return;
  const upstreams = await startUpstreams(t);
  const { served } = upstreams;
  const { httpPort, httpsPort, ca } = await startCaddy(t, upstreams);
  const visit = (servername: string, path = '/abc') => {
    const headers = { host: servername, 'x-forwarded-for': '6.6.6.6' };
    return answerOnceValid({ port: httpsPort, servername, ca, path, headers } as RequestOptions);
  };

  const redirect = await visit('go.shop.example');
  t.same([redirect.status, redirect.headers.location], [302, 'https://shop.example/']);
  t.equal(served.ledger.clicks[0]?.address_text, '127.0.0.1', 'the stored address is that of the connection, not one from the request');
  t.equal((await visit('open.go.shop.example', '/robots.txt')).status, 200, 'an open host gets a certificate too');

  await t.rejects(visit('stranger.example'), { code: 'EPROTO', message: /alert internal error/ }, 'an unknown host gets no handshake');
  served.config.environments = [
    environmentRecord(),
    environmentRecord({ number: 2, link_host: 'new.example', open_host: 'open.new.example' }),
  ];
  await t.rejects(visit('new.example'), { code: 'EPROTO' });
  served.config.version++;
  await until(() => served.host.knowsHost('new.example') === 'known', 'the engine to know the new host');
  t.equal((await visit('new.example')).status, 302, 'a new host gets its certificate at its first visit');

  const plain = await answerOf(getPlain, { port: httpPort, path: '/abc?x=1', headers: { host: 'go.shop.example' } });
  t.equal(plain.status, 308);
  t.equal(plain.headers.location, 'https://go.shop.example/abc?x=1');

  const seen = JSON.parse((await visit('api.localhost', '/v1/links')).body) as IncomingHttpHeaders;
  t.match(seen, { host: 'api.localhost', 'x-forwarded-for': '127.0.0.1', 'x-forwarded-proto': 'https' });
  upstreams.endControlPlane();
  const away = await visit('api.localhost', '/v1/links');
  t.match(away, { status: 502, headers: { 'content-type': 'application/problem+json', 'retry-after': '5' } });
  t.match(
    JSON.parse(away.body),
    { status: 502, code: 'service_unavailable' },
    'without a control plane Caddy answers with a problem of the API',
  );
});
