import t from 'tap';
import type { ResourceTypeRecord, TemplateRecord } from '../../../shared/records/records.js';
import { directSlots } from '../../../shared/resolve/direct-destination.js';
import { renderContent } from '../../../shared/resolve/render.js';
import { type CompiledTemplate, itemOf, templateRoute } from '../../../shared/resolve/template-route.js';
import { linkRecord, NO_DESTINATIONS } from '../../engine/fixtures.js';

const TYPE: ResourceTypeRecord = { id: 'rt_1', environment_number: 1, key: 'product', state: 'active' };
const RECORD: TemplateRecord = {
  id: 'tpl_1',
  environment_number: 1,
  resource_type_id: 'rt_1',
  state: 'active',
  path_pattern: '/docs/v-{id}.html',
  id_format: { kind: 'charset', charset: 'a-z /', min_length: 1, max_length: 9 },
  deep_link_path: '/{type}/{id}?at={id}',
  redirects: { ios: 'shop://{id}', android: null, web: 'https://shop.example/{type}?id={id}', desktop: null, fallback: null },
  allow_param_passthrough: true,
};

function templateOf(record: Partial<TemplateRecord>, data: Record<string, unknown> | null = null): CompiledTemplate {
  const route = templateRoute({ ...RECORD, ...record }, TYPE, data);
  if (route === null) throw new Error('the record is refused');
  return route.template;
}

t.test('a route has the state of its template, unless its resource type is archived', async (t) => {
  const archived = { ...TYPE, state: 'archived' } as const;
  for (const state of ['active', 'disabled'] as const) {
    t.equal(templateRoute({ ...RECORD, state }, TYPE)?.state, state);
    t.equal(templateRoute({ ...RECORD, state }, archived)?.state, 'resource_type_archived');
  }
});

t.test('an item has its route, its destinations and one canonical path', async (t) => {
  const item = itemOf(templateOf({}), 'a /b');
  t.strictSame(
    { path: item.path, route: item.deep_link_path, passthrough: item.allow_param_passthrough, ...item.destinations },
    {
      path: 'docs/v-a%20%2Fb.html',
      route: '/product/a%20%2Fb?at=a%20%2Fb',
      passthrough: true,
      ios: 'shop://a%20%2Fb',
      android: null,
      web: 'https://shop.example/product?id=a%20%2Fb',
      desktop: null,
      fallback: null,
    },
  );
});

t.test('an item has the same content as the complete rendering, which also includes the data', async (t) => {
  const template = templateOf({}, { name: '{type} {id}' });
  const rendered = renderContent(template.content, 'a b');
  const item = itemOf(template, 'a b');
  t.strictSame(rendered.data, { name: 'product a b' });
  t.equal(rendered.deep_link_path, item.deep_link_path);
  t.strictSame(rendered.redirects, item.destinations);
});

const DIRECT: Partial<TemplateRecord> = {
  id_format: { kind: 'preset', preset: 'uuid' },
  redirects: { ios: null, android: null, web: 'https://shop.example/{type}?id={id}', desktop: null, fallback: null },
};

t.test('items have direct destinations if an id can only change what follows the host', async (t) => {
  const direct = templateOf(DIRECT).direct_slots;
  const web = (url: string) => templateOf({ ...DIRECT, redirects: { ...NO_DESTINATIONS, web: url } }).direct_slots;
  t.equal(
    direct,
    directSlots(linkRecord({ destinations: { ...NO_DESTINATIONS, web: 'https://shop.example/' } })),
    'the same slots as for a link',
  );
  for (const url of ['https://shop.example?{id}', 'http://shop.example:80/{id}#{id}', 'https://shop.example/'])
    t.equal(web(url), direct, url);
  for (const url of [
    'https://{id}/',
    'https://shop.{id}/',
    'https://shop.example{id}',
    'https://shop.example:{id}/',
    '{id}://a',
    'http{id}://a/',
  ])
    t.equal(web(url), 0, url);
  t.equal(web('shop://{id}'), 0, 'an app is opened over a page');
});

t.test('items have direct destinations only if their id format has no character that a URL escapes', async (t) => {
  const ofCharset = (charset: string) =>
    templateOf({ ...DIRECT, id_format: { kind: 'charset', charset, min_length: 1, max_length: 9 } }).direct_slots;
  for (const charset of ['a-z', 'A-Za-z0-9._~-']) t.not(ofCharset(charset), 0, charset);
  for (const charset of ['a-z ', 'a-z/', 'a-z@', 'a-zü']) t.equal(ofCharset(charset), 0, charset);
});

t.test('a record that breaks the rules gives no route', async (t) => {
  for (const change of [
    { path_pattern: '/{id}' },
    { path_pattern: 'p/{id}' },
    { path_pattern: '/p/{id}/{id}' },
    { id_format: { kind: 'preset', preset: 'roman' } as never },
    { id_format: { kind: 'charset', charset: 'z-a', min_length: 1, max_length: 2 } as const },
    { id_format: null as never },
  ])
    t.equal(templateRoute({ ...RECORD, ...change }, TYPE), null, JSON.stringify(change));
});
