import t from 'tap';
import { domainRecord, environmentRecord, tableOf } from '../fixtures.js';

t.test('every environment has its link host and its open host', async (t) => {
  const test = environmentRecord({ id: 'env_2', number: 2, link_host: 'test.example', open_host: 'open.test.example' });
  const table = tableOf({ environments: [environmentRecord(), test] });
  t.same(
    [...table.hosts].map(([host, entry]) => [host, entry.environment.record.number, entry.role]),
    [
      ['go.shop.example', 1, 'link'],
      ['test.example', 2, 'link'],
      ['open.go.shop.example', 1, 'open'],
      ['open.test.example', 2, 'open'],
    ],
  );
  t.equal(table.environments, 2);
});

t.test('an environment does not lead to the others of its table, which a remembered page would keep in memory', async (t) => {
  const test = environmentRecord({ id: 'env_2', number: 2, link_host: 'test.example', open_host: 'open.test.example' });
  const table = tableOf({ environments: [environmentRecord(), test] });
  const other = table.hosts.get('test.example')?.environment;
  const reached = new Set<unknown>();
  const reach = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || reached.has(value)) return;
    reached.add(value);
    for (const member of value instanceof Map ? [...value].flat() : Object.values(value)) reach(member);
  };
  reach(table.hosts.get('go.shop.example')?.environment);
  t.ok(reached.size > 5 && other !== undefined && !reached.has(other));
});

t.test('a host that is named several times is a link host of the first environment that names it', async (t) => {
  const thief = environmentRecord({ number: 2, link_host: 'go.shop.example', open_host: 'GO.shop.example' });
  const opened = environmentRecord({ number: 3, link_host: 'x.example', open_host: 'go.shop.example' });
  const table = tableOf({ environments: [environmentRecord(), thief, opened] });
  t.match(table.hosts.get('go.shop.example'), { role: 'link', environment: { record: { number: 1 } } });
});

t.test('a verified custom host answers as a link host of its environment, unless an environment has it as its own host', async (t) => {
  const test = environmentRecord({ id: 'env_2', number: 2, link_host: 'test.example', open_host: 'open.test.example' });
  const domain = (environment_number: number, hostname: string) => domainRecord({ id: `dom_${hostname}`, environment_number, hostname });
  const table = tableOf({
    environments: [environmentRecord(), test],
    domains: [domain(2, 'links.acme.org'), domain(1, 'test.example'), domain(1, 'open.test.example'), domain(9, 'nobody.org')],
  });
  t.match(table.hosts.get('links.acme.org'), { role: 'link', host: 'links.acme.org', environment: { record: { number: 2 } } });
  t.match(table.hosts.get('test.example'), { role: 'link', environment: { record: { number: 2 } } });
  t.match(table.hosts.get('open.test.example'), { role: 'open', environment: { record: { number: 2 } } });
  t.equal(table.hosts.get('nobody.org'), undefined);
  t.equal(table.environments, 2);
});

t.test('campaigns are known by key in their own environment alone', async (t) => {
  const test = environmentRecord({ id: 'env_2', number: 2, link_host: 'test.example', open_host: 'open.test.example' });
  const none = { utm_source: null, utm_medium: null, utm_campaign: null, utm_term: null, utm_content: null };
  const campaign = (environment_number: number, key: string, utm_source: string | null) => ({
    id: `cmp_${environment_number}${key}`,
    environment_number,
    key,
    utm: utm_source === null ? null : { ...none, utm_source },
  });
  const { hosts } = tableOf({
    environments: [environmentRecord(), test],
    campaigns: [campaign(1, 'spring', 'a'), campaign(2, 'spring', 'b'), campaign(2, 'autumn', 'c'), campaign(2, 'plain', null)],
  });
  const known = (host: string) => [...(hosts.get(host)?.environment.campaigns ?? [])].map(([key, utm]) => [key, utm.utm_source]);
  t.same(known('go.shop.example'), [['spring', 'a']]);
  t.same(known('test.example'), [
    ['spring', 'b'],
    ['autumn', 'c'],
  ]);
});

t.test('short URLs are shown with the public scheme and port', async (t) => {
  const shown = (scheme: 'http' | 'https', port: number) =>
    tableOf({ environments: [environmentRecord()] }, { scheme, port }).hosts.get('go.shop.example');
  t.match(shown('http', 8080), {
    link_origin: 'http://go.shop.example:8080',
    environment: { open_origin: 'http://open.go.shop.example:8080' },
  });
  t.match(shown('https', 0), { link_origin: 'https://go.shop.example', environment: { open_origin: 'https://open.go.shop.example' } });
});

t.test('links of a custom domain have that domain in their URL, and those of the open host have the link host', async (t) => {
  const domains = [domainRecord()];
  const { hosts } = tableOf({ environments: [environmentRecord()], domains });
  t.equal(hosts.get('go.brand.example')?.link_origin, 'https://go.brand.example');
  t.equal(hosts.get('open.go.shop.example')?.link_origin, 'https://go.shop.example');
});

t.test('without environments there is an empty table', async (t) => {
  const table = tableOf({ environments: [] });
  t.equal(table.hosts.size, 0);
  t.equal(table.complete, false);
});
