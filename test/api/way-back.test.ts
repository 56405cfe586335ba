import t from 'tap';
import { call } from './api-client.js';
import { startApiServer } from './api-server.js';

const records = new Map<string, string>();
const api = await startApiServer(t, {
  lookUpTxt: async (name) => (records.has(name) ? { kind: 'answered', records: [records.get(name) as string] } : { kind: 'none' }),
});
const send = (operation: string, body: object) => call(t, api.baseUrl, operation, { key: api.liveKey, body });

t.test('the testers say that no open page is shown whose way back is an alias of another link', async (t) => {
  const { json: domain } = await send('POST /domains', { hostname: 'links.acme.org' });
  records.set(domain.dns_record.name, domain.dns_record.value);
  t.equal((await send(`POST /domains/${domain.id}/verify`, {})).json.status, 'verified');
  const { json: environment } = await send('PATCH /environment', { interstitial: true });
  const store = 'https://apps.apple.com/app/id1';
  const at = (path: string) => ({ host: environment.link_host, path });
  for (const path of ['sale', 'free'])
    t.equal((await send('POST /links', { path, domain: domain.hostname, destinations: { ios: store } })).status, 201);
  const { json: type } = await send('POST /resource-types', { key: 'product', name: 'Product' });
  const template = {
    path_pattern: '/p/{id}',
    id_format: { kind: 'preset', preset: 'alnum' },
    deep_link_path: '/p/{id}',
    redirects: { ios: store },
  };
  t.equal((await send('POST /url-templates', { resource_type_id: type.id, ...template })).status, 201);
  t.equal((await send('POST /links', { aliases: [at('sale'), at('p/42')] })).status, 201);

  const tested = async (path: string) => {
    const { json } = await send('POST /links/test', { path: `https://${domain.hostname}${path}`, platform: 'ios' });
    return { outcome: json.outcome, destination: json.destination, rules: json.trace.map(({ rule }: { rule: string }) => rule) };
  };
  const taken = await tested('/sale');
  t.match(taken, { outcome: 'redirect', destination: store });
  t.ok(taken.rules.includes('way_back'));
  const free = await tested('/free');
  t.match(free, { outcome: 'to_open_page', destination: store });
  t.notOk(free.rules.includes('way_back'));

  const outcomeOf = async (path: string) => {
    const { json } = await send('POST /url-templates/test', { path: `https://${domain.hostname}${path}`, platform: 'ios' });
    return [json.result, json.trace.at(-1).inputs.outcome];
  };
  t.same(await outcomeOf('/p/42'), ['match', 'redirect']);
  t.same(await outcomeOf('/p/43'), ['match', 'to_open_page']);
});
