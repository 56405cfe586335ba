import t from 'tap';
import { beginFacts, type Facts, newFacts } from '../../../engine/http/facts.js';
import { type Decision, decideItem } from '../../../engine/visit/decide.js';
import { locate } from '../../../engine/visit/locate.js';
import type { Table } from '../../../engine/visit/table.js';
import type { EnvironmentRecord, ResourceTypeRecord, TemplateRecord } from '../../../shared/records/records.js';
import { isHeaderSafe } from '../../../shared/resolve/destination-safety.js';
import { recogniseVisitor } from '../../../shared/resolve/recognise-visitor.js';
import fc from '../../support/properties.js';
import {
  ANDROID,
  CLICK_ID,
  CLICKED_AT_MS,
  DESKTOP,
  environmentRecord,
  IPHONE,
  locateItem,
  NO_DESTINATIONS,
  PREVIEW,
  resourceTypeRecord,
  tableOf,
  templateRecord,
} from '../fixtures.js';

const APP_STORE = 'https://apps.apple.com/app/id1';
const PLAY_STORE = 'https://play.google.com/store/apps/details?id=a';

const NOW = CLICKED_AT_MS;

interface Question {
  readonly path: string;
  readonly template?: Partial<TemplateRecord>;
  readonly type?: Partial<ResourceTypeRecord>;
  readonly environment?: Partial<EnvironmentRecord>;
  readonly userAgent?: string;
  readonly host?: string;
  readonly facts?: Partial<Facts>;
}

function asked(question: Question): { facts: Facts; table: Table } {
  const { path, template, type, environment, userAgent = DESKTOP, host = 'go.shop.example', facts: changes } = question;
  const facts = newFacts();
  beginFacts(facts, 'GET', path, '');
  Object.assign(facts, { host, user_agent: userAgent, visitor: recogniseVisitor(userAgent) }, changes);
  const table = tableOf({
    environments: [environmentRecord(environment)],
    resource_types: [resourceTypeRecord(type)],
    templates: [templateRecord(template)],
  });
  return { facts, table };
}

function kindOf(question: Question): string {
  const { facts, table } = asked(question);
  return locate(facts, table).kind;
}

function ask(question: Question): Decision {
  const { facts, table } = asked(question);
  return decideItem(facts, locateItem(facts, table), NOW);
}

const web = (url: string) => ({ redirects: { ...NO_DESTINATIONS, web: url } });

t.test('an item leads to its own destination, with type and id filled in', async (t) => {
  t.match(ask({ path: '/p/42', template: web('https://shop.example/{type}/{id}?ref={id}') }), {
    outcome: 'redirect',
    destination: 'https://shop.example/product/42?ref=42',
    click: true,
    link: null,
    item: { id: '42', deep_link_path: '/product/42', template: { resource_type: 'product' } },
    path: 'p/42',
  });
});

t.test("an item without a destination of its own leads to the environment's default, with its route filled in", async (t) => {
  const environment = { default_destinations: { ...NO_DESTINATIONS, web: 'https://shop.example{deep_link_path}' } };
  t.match(ask({ path: '/p/42', environment }), { outcome: 'redirect', destination: 'https://shop.example/product/42' });
  t.match(ask({ path: '/p/42', environment: { default_destinations: NO_DESTINATIONS } }), { outcome: 'no_destination', click: true });
});

t.test('a disabled template, an invalid id and an archived type get pages without a click, also for a preview bot', async (t) => {
  for (const userAgent of [DESKTOP, IPHONE, PREVIEW]) {
    t.match(ask({ path: '/p/42', template: { state: 'disabled' }, userAgent }), { outcome: 'disabled', click: false, destination: '' });
    t.match(ask({ path: '/p/x', template: { state: 'disabled' }, userAgent }), { outcome: 'disabled' });
    for (const path of ['/p/x', '/p/%zz', '/p/%ff', '/p/123456789012345678901'])
      t.match(ask({ path, userAgent }), { outcome: 'not_found', click: false, destination: '', item: null }, path);
    for (const state of ['active', 'disabled'] as const)
      t.match(ask({ path: '/p/42', type: { state: 'archived' }, template: { state }, userAgent }), { outcome: 'not_found', click: false });
  }
});

t.test('the redirects of a template depend on the platform, and stores are reached over the open host', async (t) => {
  const template = { redirects: { ios: APP_STORE, android: PLAY_STORE, web: null, desktop: 'https://d.example/{id}', fallback: null } };
  for (const [userAgent, destination] of [
    [IPHONE, APP_STORE],
    [ANDROID, PLAY_STORE],
  ] as const) {
    t.match(ask({ path: '/p/42', template, userAgent }), { outcome: 'to_open_page', destination, click: true });
    const facts = { query: `click_id=${CLICK_ID}` };
    const opened = { path: '/p/42', template, userAgent, facts };
    t.match(ask({ ...opened, host: 'open.go.shop.example' }), { outcome: 'open_page', destination, click: false });
    t.match(ask(opened), { outcome: 'to_store', destination, click: false, continues: CLICK_ID });
    const off = { interstitial: false };
    t.match(ask({ path: '/p/42', template, userAgent, environment: off }), { outcome: 'redirect', destination });
  }
  t.match(ask({ path: '/p/42', template }), { outcome: 'redirect', destination: 'https://d.example/42' });
  t.match(ask({ path: '/p/42', template, host: 'open.go.shop.example' }), { outcome: 'to_link', click: false });
  t.match(ask({ path: '/p/42', template, userAgent: PREVIEW }), { outcome: 'preview_redirect', click: false });
  const app = { redirects: { ...NO_DESTINATIONS, ios: 'shop://product/{id}' } };
  t.match(ask({ path: '/p/42', template: app, userAgent: IPHONE, environment: { interstitial: false } }), {
    outcome: 'app_page',
    destination: 'shop://product/42',
  });
});

t.test('a program and a prefetch are marked, and HEAD is not a click', async (t) => {
  t.match(ask({ path: '/p/42', userAgent: 'curl/8.5.0' }), { outcome: 'redirect', click: true, bot_reason: 'isbot' });
  t.match(ask({ path: '/p/42', facts: { prefetch: true } }), { click: true, bot_reason: 'prefetch' });
  t.match(ask({ path: '/p/42', facts: { method: 'HEAD' } }), { outcome: 'redirect', click: false });
});

t.test('parameters are passed on if the template says so, and no UTM fields are added', async (t) => {
  const facts = { query: 'utm_source=mail&a=1' };
  const template = { ...web('https://shop.example/{id}?a=own'), allow_param_passthrough: true };
  t.match(ask({ path: '/p/42', template, facts }), {
    destination: 'https://shop.example/42?a=own&utm_source=mail',
    query: facts.query,
    utm: '',
  });
  t.match(ask({ path: '/p/42', template: web('https://shop.example/{id}'), facts }), {
    destination: 'https://shop.example/42',
    query: '',
  });
  const long = { query: `a=${'x'.repeat(3000)}` };
  t.match(ask({ path: '/p/42', template, facts: long }), { destination: 'https://shop.example/42?a=own', query: '', params_dropped: true });
});

t.test('an item has the same path however its URL is escaped', async (t) => {
  const template = {
    path_pattern: '/docs/v-{id}.html',
    id_format: { kind: 'charset', charset: 'a-z /ä', min_length: 1, max_length: 9 },
  } as const;
  for (const path of ['/docs/v-a%20b.html', '/docs/v-a%20b.html/', '/%64ocs/v%2Da%20%62%2Ehtml'])
    t.match(ask({ path, template }), { path: 'docs/v-a%20b.html', item: { id: 'a b' } }, path);
  t.match(ask({ path: '/docs/v-%2F.html', template }), { path: 'docs/v-%2F.html', item: { id: '/', deep_link_path: '/product/%2F' } });
  t.match(ask({ path: '/docs/v-%C3%A4.html', template }), { path: 'docs/v-%C3%A4.html', item: { id: 'ä' } });
});

t.test('a path that is not a valid URI, or that no pattern matches, belongs to no template', async (t) => {
  const template = { id_format: { kind: 'charset', charset: 'a-zä', min_length: 1, max_length: 9 } } as const;
  for (const path of ['/p/ä', '/p/a b', '/p/\u0001', '/P/a', '/p/a/b', '/p//a', '/p', '/q/a', '/'])
    t.equal(kindOf({ path, template }), path === '/p' ? 'link' : 'not_found', path);
  t.equal(kindOf({ path: '/p/a', template }), 'template');
});

t.test('promise R11: for every id, path and destination are safe in a header, and the target stays as stored', async (t) => {
  const template = {
    id_format: {
      kind: 'charset',
      charset: ' -~\u00a1-\ud7ff\ue000-\ufffc\u{10000}-\u{10ffff}',
      min_length: 1,
      max_length: 256,
    },
    ...web('https://shop.example/i/{id}?q={id}#{id}'),
  } as const;
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }), (id) => {
      let path: string;
      try {
        path = `/p/${encodeURIComponent(id)}`;
      } catch {
        return true; // half a surrogate pair cannot be sent
      }
      const decision = ask({ path, template });
      if (decision.outcome === 'not_found') return true;
      const { destination, item } = decision;
      return (
        item?.id === id &&
        isHeaderSafe(decision.path) &&
        isHeaderSafe(destination) &&
        new URL(destination).origin === 'https://shop.example' &&
        /^https:\/\/shop\.example\/i\/[^/?#]+\?q=[^?#&]+#[^#]+$/.test(destination)
      );
    }),
    { numRuns: 2000 },
  );
  t.match(ask({ path: '/p/%0D%0Ax', template }), { outcome: 'not_found' });
  t.match(ask({ path: '/p/..%2Fx', template }), { destination: 'https://shop.example/i/..%2Fx?q=..%2Fx#..%2Fx' });
  t.match(ask({ path: '/p/%2e%2e', template }), { outcome: 'not_found' });
});
