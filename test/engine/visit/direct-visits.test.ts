import { deepStrictEqual } from 'node:assert/strict';
import t from 'tap';
import type { AnswerSink } from '../../../engine/http/answer-sink.js';
import { beginFacts, type Method, newFacts } from '../../../engine/http/facts.js';
import { Responder } from '../../../engine/http/respond.js';
import { preferredLanguage } from '../../../engine/pages/texts/language.js';
import { addressKeystream } from '../../../engine/spool/address-cipher.js';
import type { Click, ClickSink } from '../../../engine/spool/click.js';
import { GROUP_BYTES_MAX } from '../../../engine/spool/record-layout.js';
import { RecordWriter } from '../../../engine/spool/record-writer.js';
import type { Table } from '../../../engine/visit/table.js';
import { VisitFigures } from '../../../engine/visit/visit-figures.js';
import { Visits } from '../../../engine/visit/visits.js';
import { GenerationCache } from '../../../shared/base/generation-cache.js';
import type { Destinations, EnvironmentRecord, LinkRecord, ResourceTypeRecord, TemplateRecord } from '../../../shared/records/records.js';
import { BLOCKED_DESTINATION } from '../../../shared/resolve/destination.js';
import { matchTemplate } from '../../../shared/resolve/match.js';
import { recogniseVisitor } from '../../../shared/resolve/recognise-visitor.js';
import fc from '../../support/properties.js';
import { TEST_SPOOL_KEYS } from '../../support/spool-keys.js';
import {
  ANDROID,
  CLICK_ID,
  CLICKED_AT_MS,
  DESKTOP,
  environmentRecord,
  IPHONE,
  linkRecord,
  PREVIEW,
  silentLog,
  tableOf,
} from '../fixtures.js';
import { RecordedSink } from '../http/recorded-sink.js';
import { IndexedLinks } from '../link-index/indexed-links.js';
import { noItems } from '../preview/fixtures.js';

const CHROME_ON_ANDROID = 'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36';

/** Keeps, for each click, the bytes of its record in a segment. */
class ClickRecords implements ClickSink {
  readonly #memory = Buffer.from(new ArrayBuffer(GROUP_BYTES_MAX));
  readonly #writer = new RecordWriter(this.#memory);
  readonly records: Buffer[] = [];

  append(click: Click): boolean {
    this.#writer.reset(1, addressKeystream(TEST_SPOOL_KEYS.addresses, Buffer.alloc(16)));
    this.records.push(Buffer.from(this.#memory.subarray(0, this.#writer.write(click, 0, 0))));
    return true;
  }

  nextId(): string {
    return CLICK_ID;
  }
}

/** Counts the redirects that needed no decision. */
class CountingResponder extends Responder {
  direct = 0;

  override directRedirect(sink: AnswerSink, location: string, asksVersion: boolean): void {
    this.direct++;
    super.directRedirect(sink, location, asksVersion);
  }
}

interface Visit {
  readonly link: LinkRecord | undefined;
  readonly template: TemplateRecord;
  readonly environment: EnvironmentRecord;
  readonly host: 'link' | 'open';
  readonly method: Method;
  readonly path: string;
  readonly query: string;
  readonly userAgent: string;
  readonly hint: 'ios' | 'android' | '';
  readonly version: string;
  readonly prefetch: boolean;
  readonly optedOut: boolean;
  readonly closing: boolean;
}

/** The table of an environment with one template. The template has no direct destinations if `items` is 'decided'. */
function tableWith(environment: EnvironmentRecord, template: TemplateRecord, items: 'direct' | 'decided'): Table {
  const own = structuredClone(template);
  const table = tableOf({ environments: [environment], campaigns: CAMPAIGNS, resource_types: [TYPE], templates: [own] });
  const { templates } = table.hosts.get(environment.link_host)?.environment ?? {};
  const compiled = templates === undefined ? null : matchTemplate(templates, '/p/1').template;
  if (compiled === null) throw new Error('every template has this path');
  if (items === 'decided') Object.defineProperty(compiled, 'direct_slots', { value: 0 });
  return table;
}

/** A visit handler with direct destinations or without them. */
function visitsOf(links: 'direct' | 'decided') {
  let visit: Visit | null = null;
  const tables = new Map<EnvironmentRecord, Map<TemplateRecord, Table>>();
  const findLink = (_number: number, path: string): LinkRecord | undefined => (path === 'abc' ? visit?.link : undefined);
  const indexed = new IndexedLinks(findLink);
  const responder = new CountingResponder();
  const figures = new VisitFigures();
  const clicks = new ClickRecords();
  const visits = new Visits({
    clickIds: TEST_SPOOL_KEYS.clickIds,
    table: () => knownTable(visit as Visit),
    newestTable: () => knownTable(visit as Visit),
    findLink,
    findIndexedLink: (number, path) => (links === 'direct' ? indexed.find(number, path) : null),
    findAlias: () => undefined,
    lookUp: () => new Promise(() => undefined),
    clicks,
    items: noItems(),
    verdicts: new GenerationCache(100, recogniseVisitor),
    languages: new GenerationCache(100, preferredLanguage),
    figures,
    responder,
    proxyTrust: { hops: 1, proxies: null },
    countries: { countryOf: () => '' },
    clickLimits: { take: async () => true },
    blockList: { remembered: () => false, isAnyListed: async () => false },
    clock: () => CLICKED_AT_MS,
    log: silentLog,
  });
  function knownTable({ environment, template }: Visit): Table {
    const ofEnvironment = tables.get(environment) ?? new Map<TemplateRecord, Table>();
    tables.set(environment, ofEnvironment);
    const table = ofEnvironment.get(template) ?? tableWith(environment, template, links);
    ofEnvironment.set(template, table);
    return table;
  }
  return {
    figures,
    /** The number of redirects that needed no decision, for links and for items. */
    taken: () => ({ links: indexed.taken, items: responder.direct - indexed.taken }),
    /** Handles the visit. Returns what the client and the spool receive. */
    answer(next: Visit) {
      visit = next;
      responder.closing = next.closing;
      const facts = newFacts();
      beginFacts(facts, next.method, next.path, next.query);
      Object.assign(facts, {
        host: next.host === 'link' ? next.environment.link_host : next.environment.open_host,
        hosts: 1,
        user_agent: next.userAgent,
        referrer: 'https://news.example/today',
        platform_hint: next.hint,
        platform_version: next.version,
        prefetch: next.prefetch,
        opted_out: next.optedOut,
        forwarded_for: '203.0.113.9',
        country: 'DE',
      });
      const sink = new RecordedSink();
      visits.handle(facts, sink);
      const { status, headers, body, ended } = sink;
      return { status, headers, body, ended, click: clicks.records.splice(0).map((record) => record.toString('hex')) };
    },
  };
}

const CAMPAIGNS = [
  {
    id: 'cmp_1',
    environment_number: 1,
    key: 'spring',
    utm: { utm_source: 'mail', utm_medium: null, utm_campaign: null, utm_term: null, utm_content: null },
  },
];

/** URLs of every kind: for the web, for both stores in either spelling, for an app, blocked, refused, and not ASCII. */
const URLS = [
  'https://shop.example/item/1',
  'http://shop.example:8080/a?b=c#d',
  'https://apps.apple.com/app/id99',
  'itms-apps://apps.apple.com/app/id99',
  'https://play.google.com/store/apps/details?id=com.shop',
  'market://details?id=com.shop',
  'shop://item/1',
  BLOCKED_DESTINATION,
  'javascript:alert(1)',
  'https://shop.example/\r\nSet-Cookie: a=b',
  'https://shop.example/ü',
  'https:///nothing',
] as const;

const url = fc.oneof({ weight: 6, arbitrary: fc.constantFrom(URLS[0], URLS[1]) }, { weight: 1, arbitrary: fc.constantFrom(...URLS) });
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null });
const destinations = (one: fc.Arbitrary<string>): fc.Arbitrary<Destinations> =>
  fc.record(
    { ios: maybe(one), android: maybe(one), web: maybe(one), desktop: maybe(one), fallback: maybe(one) },
    { noNullPrototype: true },
  );

const anyLink = fc
  .record({
    state: fc.constantFrom(
      'active' as const,
      'active' as const,
      'active' as const,
      'disabled' as const,
      'blocked' as const,
      'deleted' as const,
    ),
    expires_at_ms: fc.constantFrom(0, 0, 0, CLICKED_AT_MS - 1, CLICKED_AT_MS, CLICKED_AT_MS + 1),
    deep_link_path: fc.constantFrom('/a', '/a', '/a', '/a', '/a', '/ü'),
    campaign: fc.constantFrom(null, null, null, null, null, null, 'spring', 'gone'),
    utm: fc.constantFrom(null, null, null, null, null, {
      utm_source: 'link',
      utm_medium: null,
      utm_campaign: null,
      utm_term: null,
      utm_content: null,
    }),
    allow_param_passthrough: fc.boolean(),
    destinations: destinations(url),
  })
  .map((fields) => linkRecord(fields));

const TYPE: ResourceTypeRecord = { id: 'rt_1', environment_number: 1, key: 'product', state: 'active' };

const TEMPLATE_URLS = [
  ...URLS,
  'https://shop.example/{type}/{id}',
  'https://shop.example/{id}?a={id}#{id}',
  'https://shop.example/{id}',
  'https://shop.example{id}',
  'https://{id}.example/',
  'https://shop.example:{id}/',
  'https://{id}@shop.example/',
  'https:{id}/a',
  'http{id}://shop.example/',
  '{id}://a',
  'shop://{id}',
  'https://play.google.com/store/apps/details?id={id}',
  'market://details?id={id}',
  'https://shop.example/ü/{id}',
] as const;

const templateUrl = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('https://shop.example/item/{id}', 'https://shop.example/a?id={id}&b') },
  { weight: 1, arbitrary: fc.constantFrom(...TEMPLATE_URLS) },
);

/** Few templates, for the same reason. */
const TEMPLATES: readonly TemplateRecord[] = fc.sample(
  fc.record(
    {
      id: fc.constant('tpl_1'),
      environment_number: fc.constant(1),
      resource_type_id: fc.constant(TYPE.id),
      state: fc.constantFrom('active' as const, 'active' as const, 'active' as const, 'active' as const, 'disabled' as const),
      path_pattern: fc.constant('/p/{id}'),
      id_format: fc.constantFrom<TemplateRecord['id_format']>(
        { kind: 'preset', preset: 'base64url' },
        { kind: 'preset', preset: 'numeric' },
        { kind: 'charset', charset: 'a-z0-9.~', min_length: 1, max_length: 9 },
        { kind: 'charset', charset: 'a-z0-9 /ü@+', min_length: 1, max_length: 9 },
      ),
      deep_link_path: fc.constantFrom('/{type}/{id}', '/ü'),
      redirects: destinations(templateUrl),
      allow_param_passthrough: fc.constantFrom(false, false, true),
    },
    { noNullPrototype: true },
  ),
  { numRuns: 60, seed: 2 },
);

/** Few environments, because a table is compiled for each. */
const ENVIRONMENTS = fc.sample(
  fc
    .record({
      interstitial: fc.boolean(),
      append_click_id: fc.boolean(),
      default_destinations: destinations(fc.oneof(url, fc.constant('https://shop.example{deep_link_path}'))),
      apps: fc.boolean(),
    })
    .map(({ interstitial, append_click_id, default_destinations, apps }) =>
      environmentRecord({
        interstitial,
        append_click_id,
        default_destinations,
        ios_apps: apps
          ? [{ team_id: 'ABCDE12345', bundle_id: 'com.shop', app_store_url: 'https://apps.apple.com/app/id1', uri_scheme: null }]
          : [],
      }),
    ),
  { numRuns: 60, seed: 1 },
);
/** Most environments set no default destination, or a single one. */
const FEW_DEFAULTS = (['ios', 'desktop', 'fallback', 'web', null] as const).flatMap((slot) =>
  [true, false].map((interstitial) => {
    const none = { ios: null, android: null, web: null, desktop: null, fallback: null };
    return environmentRecord({
      interstitial,
      default_destinations: slot === null ? none : { ...none, [slot]: 'https://default.example/' },
    });
  }),
);

const anyVisit: fc.Arbitrary<Visit> = fc.record(
  {
    link: fc.option(anyLink, { nil: undefined, freq: 50 }),
    template: fc.constantFrom(...TEMPLATES),
    environment: fc.constantFrom(...FEW_DEFAULTS, ...FEW_DEFAULTS, ...FEW_DEFAULTS, ...ENVIRONMENTS),
    host: fc.constantFrom('link', 'link', 'link', 'link', 'open'),
    method: fc.constantFrom<Method>('GET', 'GET', 'GET', 'GET', 'GET', 'HEAD', 'other'),
    path: fc.oneof(
      {
        weight: 5,
        arbitrary: fc.constantFrom('/abc', '/abc', '/abc', '/abc', '/abc', '/abc', '/abc/', '/%61bc', '/abd', '/robots.txt', '/a/b'),
      },
      {
        weight: 5,
        arbitrary: fc.constantFrom(
          '/p/1',
          '/p/23',
          '/p/4567',
          '/p/abc',
          '/p/a.b~',
          '/p/a@1+',
          '/p/1/',
          '/p/%31',
          '/p/a%20b',
          '/p/a%2Fb',
          '/p/ü',
          '/p/%C3%BC',
          '/p/',
          '/p/..',
          '/p/1/2',
          '/P/1',
        ),
      },
    ),
    query: fc.constantFrom(
      '',
      '',
      '',
      'a=1&utm_source=x',
      `click_id=${CLICK_ID}`,
      `click_id=${CLICK_ID}&a=1`,
      'click_id=clk_x',
      'qr=1',
      'a=1&qr=1',
      '&&',
      'a'.repeat(3000),
    ),
    userAgent: fc.constantFrom(DESKTOP, IPHONE, ANDROID, CHROME_ON_ANDROID, 'curl/8', PREVIEW, ''),
    hint: fc.constantFrom('', '', '', 'ios', 'android'),
    version: fc.constantFrom('', '', '14'),
    prefetch: fc.constantFrom(false, false, false, true),
    optedOut: fc.constantFrom(false, false, false, true),
    closing: fc.constantFrom(false, false, false, false, true),
  },
  { noNullPrototype: true },
);

t.test('a visit with a direct destination has the same answer and click as if it had been decided step by step', async (t) => {
  const [direct, decided] = [visitsOf('direct'), visitsOf('decided')];
  fc.assert(
    fc.property(anyVisit, (visit) => {
      deepStrictEqual(direct.answer(visit), decided.answer(visit));
    }),
    { numRuns: 100_000 },
  );
  const [{ links, items }, redirects] = [direct.taken(), decided.figures.of('redirect')];
  t.ok(links > 1000 && items > 1000, `${links} and ${items} of ${redirects} redirects are direct`);
  t.strictSame(decided.taken(), { links: 0, items: 0 });
  t.strictSame([...direct.figures.ends()], [...decided.figures.ends()], 'both are counted in the same way');
});
