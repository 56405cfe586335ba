import t from 'tap';
import { startDnsServer } from '../support/dns-server.js';
import { type CreatedLink, startStack } from '../support/stack.js';
import { until } from '../support/until.js';
import { createVisitor, type Visitor } from '../support/visitor.js';

interface CreatedDomain {
  readonly id: string;
  readonly status: string;
  readonly dns_record: { readonly name: string; readonly value: string };
}

interface Outcome {
  readonly outcome: string;
  readonly destination: string | null;
  readonly status: number;
}

t.test('a changed campaign, environment or custom domain affects all its links, and the link tester agrees', async (t) => {
  const dns = await startDnsServer();
  t.teardown(() => dns.stop());
  const stack = await startStack(t, { processes: 1, environment: { DOMAIN_DNS_SERVERS: dns.address } });
  const { controlPlane, project, engine } = stack;
  const call = async <Body>(method: string, path: string, body?: unknown) => {
    const answer = await controlPlane.call<Body>(project, method, path, body);
    t.ok(answer.status < 300, `${method} ${path} ${answer.status}`);
    return answer.body;
  };
  const campaign = await call<{ id: string }>('POST', '/campaigns', {
    key: 'spring',
    name: 'Spring',
    utm_source: 'mail',
    utm_medium: 'email',
  });
  await call<CreatedLink>('POST', '/links', { path: 'own', campaign: 'spring', utm_medium: 'print' });
  await call<CreatedLink>('POST', '/links', { path: 'all', campaign: 'spring' });
  await call('PATCH', '/environment', { default_destinations: { web: 'https://destination.example{deep_link_path}' } });

  const visitor = createVisitor(engine.port, project.linkHost);
  t.teardown(() => visitor.close());
  const leads = async (at: Visitor, path: string, location: string | null, host = project.linkHost) => {
    await until(async () => (await at.visit(path)).location === location, `${host}${path} to lead to ${location}`).catch(() => {});
    t.equal((await at.visit(path)).location, location);
    if (location === null) return;
    const tested = await call<Outcome>('POST', '/links/test', { path: `http://${host}${path}`, platform: 'desktop' });
    t.match(tested, { outcome: 'redirect', status: 302, destination: location });
  };
  await leads(visitor, '/own', 'https://destination.example/?utm_source=mail&utm_medium=print');
  await leads(visitor, '/all', 'https://destination.example/?utm_source=mail&utm_medium=email');

  await call('PATCH', `/campaigns/${campaign.id}`, { utm_source: 'letter', utm_medium: null });
  await leads(visitor, '/own', 'https://destination.example/?utm_source=letter&utm_medium=print');
  await leads(visitor, '/all', 'https://destination.example/?utm_source=letter');

  await call('PATCH', '/environment', { default_destinations: { web: 'https://other.example/x?to={deep_link_path}' } });
  await leads(visitor, '/all', 'https://other.example/x?to=%2F&utm_source=letter');

  const hostname = 'links.acme.org';
  const custom = createVisitor(engine.port, hostname);
  t.teardown(() => custom.close());
  const domain = await call<CreatedDomain>('POST', '/domains', { hostname });
  t.equal((await custom.visit('/all')).status, 404, 'a host answers 404 before its verification');
  dns.zone.set(domain.dns_record.name, [[domain.dns_record.value]]);
  t.equal((await call<CreatedDomain>('POST', `/domains/${domain.id}/verify`)).status, 'verified');
  await leads(custom, '/all', 'https://other.example/x?to=%2F&utm_source=letter', hostname);
  const link = await call<CreatedLink>('POST', '/links', { path: 'shown', domain: hostname });
  t.equal(link.url, `http://${hostname}/shown`);
  await leads(custom, '/shown', 'https://other.example/x?to=%2F', hostname);
  await call('DELETE', `/domains/${domain.id}`);
  await leads(custom, '/all', null, hostname);
  await leads(visitor, '/shown', 'https://other.example/x?to=%2F');
});
