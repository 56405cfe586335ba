import { get } from 'node:https';
import t from 'tap';
import type { Domain } from '../../shared/contract/schemas/domain.js';
import type { LinkStats } from '../../shared/contract/schemas/link-stats.js';
import { converse, request } from '../engine/http/raw-http.js';
import { makeCertificate } from '../support/certificates.js';
import { startDnsServer } from '../support/dns-server.js';
import { visitorPerProcess } from '../support/process-visitors.js';
import { type CreatedLink, startStack } from '../support/stack.js';
import { until } from '../support/until.js';
import { ANDROID, createVisitor, DESKTOP, IPHONE } from '../support/visitor.js';

const dns = await startDnsServer();
t.teardown(() => dns.stop());
const { certificate, key } = makeCertificate({ names: ['go.demo.example'] });
const TLS_CERTIFICATES_DIR = t.testdir({ 'go.pem': certificate + key });
const stack = await startStack(t, { environment: { DOMAIN_DNS_SERVERS: dns.address, TLS_CERTIFICATES_DIR } });
const { controlPlane, project, engine } = stack;

t.test('a link redirects each platform to its own destination, and each visit is counted', async (t) => {
  const destinations = {
    ios: 'https://ios.example/item',
    android: 'https://android.example/item',
    desktop: 'https://desktop.example/item',
    fallback: 'https://fallback.example/item',
  };
  const { status, body: link } = await controlPlane.call<CreatedLink>(project, 'POST', '/links', { path: 'summer', destinations });
  t.equal(status, 201);

  const visitor = createVisitor(engine.port, project.linkHost);
  t.teardown(() => visitor.close());
  for (const [userAgent, location] of [
    [IPHONE, destinations.ios],
    [ANDROID, destinations.android],
    [DESKTOP, destinations.desktop],
  ] as const)
    t.same(await visitor.visit('/summer', userAgent), { status: 302, location });
  t.equal((await visitor.visit('/winter')).status, 404, 'an unknown path answers 404');

  const overTls = await new Promise<string | undefined>((resolve, reject) => {
    const options = { port: engine.tlsPort, host: '127.0.0.1', servername: project.linkHost, rejectUnauthorized: false, agent: false };
    get({ ...options, path: '/summer', method: 'HEAD', headers: { host: project.linkHost, 'user-agent': DESKTOP } }, (response) =>
      resolve(response.headers.location),
    ).on('error', reject);
  });
  t.equal(overTls, destinations.desktop, 'the link redirects over TLS too');

  const { answers } = await converse(engine.port, request('/summer', { Host: project.linkHost }), { answers: 1 });
  t.equal(answers[0]?.status, 302, 'a visit without a user agent is redirected too');

  let stats: LinkStats | null = null;
  await until(async () => {
    stats = (await controlPlane.call<LinkStats>(project, 'GET', `/links/${link.id}/stats`)).body;
    return stats.totals.all === 4;
  }, 'four clicks in the stats').catch(() => {});
  t.match(stats, { totals: { all: 4, human: 3, unique: 3 } }, 'a visit without a user agent counts as a bot');

  const rows = await stack.rows('SELECT platform, destination, bot_reason FROM clicks ORDER BY id');
  t.same(rows, [
    { platform: 'ios', destination: destinations.ios, bot_reason: null },
    { platform: 'android', destination: destinations.android, bot_reason: null },
    { platform: 'desktop', destination: destinations.desktop, bot_reason: null },
    { platform: 'other', destination: destinations.fallback, bot_reason: 'no_user_agent' },
  ]);
});

t.test('from its verification on, a custom host answers on every process and may get a certificate', async (t) => {
  const hostname = 'links.customer.org';
  const allowed = async () => (await fetch(`http://127.0.0.1:${engine.adminPort}/internal/tls-allowed?domain=${hostname}`)).status;
  const { body: link } = await controlPlane.call<CreatedLink>(project, 'POST', '/links', {
    destinations: { web: 'https://shop.example/' },
  });
  const { body: domain } = await controlPlane.call<Domain>(project, 'POST', '/domains', { hostname });
  const pids = [...(await engine.pids())].filter(([name]) => name.startsWith('redirect-')).map(([, pid]) => pid);
  const visitors = await visitorPerProcess({ port: engine.port, host: hostname, path: `/${link.path}` }, pids);
  const statuses = () => Promise.all([...visitors.values()].map(async (visitor) => (await visitor.visit(`/${link.path}`)).status));
  t.same([await allowed(), await statuses()], [404, [404, 404]], 'a pending host answers 404 and may get no certificate');

  dns.zone.set(domain.dns_record.name, [[domain.dns_record.value]]);
  const { body: verified } = await controlPlane.call<Domain>(project, 'POST', `/domains/${domain.id}/verify`);
  t.equal(verified.status, 'verified');
  const verifiedAt = performance.now();
  await until(async () => (await statuses()).every((status) => status === 302), 'every process to answer the host');
  t.comment(`every process answers ${Math.round(performance.now() - verifiedAt)} ms after the verification`);
  t.equal(await allowed(), 200);

  const [stopped] = pids as [number];
  process.kill(stopped, 'SIGSTOP');
  for (let turn = 0; turn < 2; turn++) t.equal(await allowed(), 200, 'one answering process is enough to permit a certificate');
  process.kill(stopped, 'SIGCONT');

  t.equal((await controlPlane.call(project, 'DELETE', `/domains/${domain.id}`)).status, 204);
  await until(async () => (await statuses()).every((status) => status === 404), 'the removed host to answer 404');
  t.equal(await allowed(), 404);
  for (const visitor of visitors.values()) visitor.close();
});
