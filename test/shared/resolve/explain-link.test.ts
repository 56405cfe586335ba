import t from 'tap';
import { beginFacts, newFacts } from '../../../engine/http/facts.js';
import { decide } from '../../../engine/visit/decide.js';
import { readQrMark } from '../../../engine/visit/recognise.js';
import type { Destinations, LinkRecord, Utm } from '../../../shared/records/records.js';
import { addressOf, explainLink } from '../../../shared/resolve/explain-link.js';
import { personOn } from '../../../shared/resolve/explain-resolution.js';
import { readTriedPath } from '../../../shared/resolve/explain-template.js';
import { OUTCOME_STATUS } from '../../../shared/resolve/follow-link.js';
import { passedParameters } from '../../../shared/resolve/passthrough.js';
import { PLATFORMS, recogniseVisitor, type Visitor } from '../../../shared/resolve/recognise-visitor.js';
import {
  ANDROID,
  CLICK_ID,
  CLICKED_AT_MS,
  DESKTOP,
  environmentRecord,
  IPHONE,
  linkRecord,
  locateLink,
  NO_DESTINATIONS,
  PREVIEW,
  tableOf,
} from '../../engine/fixtures.js';
import fc from '../../support/properties.js';

const NOW = CLICKED_AT_MS;
const AS_IT_STANDS = { lower: null, aliased: null };
const UTM: Utm = { utm_source: 'mail', utm_medium: null, utm_campaign: 'ä b', utm_term: null, utm_content: null };

const url = fc.constantFrom(
  null,
  'https://shop.example/a?utm_source=own#x',
  'https://apps.apple.com/app/id1',
  'https://play.google.com/store/apps/details?id=a',
  'shop://open',
  'javascript:alert(1)',
);
const RULES = [
  { active_from_ms: NOW + 1 },
  { max_clicks: 3 },
  { max_clicks: 3, used_up: true },
  { password: 'hash' },
  { geo: { DE: 'https://shop.example/de' } },
  { interstitial: false },
].map((rules) =>
  JSON.stringify({ active_from_ms: 0, max_clicks: null, used_up: false, password: null, geo: null, interstitial: null, ...rules }),
);
const destinations: fc.Arbitrary<Destinations> = fc.record({ ios: url, android: url, web: url, desktop: url, fallback: url });
const link: fc.Arbitrary<LinkRecord | null> = fc.option(
  fc.record({
    id: fc.constant('lnk_1'),
    state: fc.constantFrom('active', 'active', 'active', 'disabled', 'blocked', 'deleted'),
    expires_at_ms: fc.constantFrom(0, 0, NOW, NOW + 1),
    deep_link_path: fc.constantFrom('/', '/p/ä?x=1'),
    data: fc.constant(null),
    campaign: fc.constantFrom(null, 'spring', 'unknown'),
    utm: fc.constantFrom(null, UTM),
    allow_param_passthrough: fc.boolean(),
    destinations: fc.oneof(destinations, fc.constant(NO_DESTINATIONS)),
    card: fc.constantFrom(null, '{"title":"Spring","description":null,"image_url":null}'),
    rules: fc.constantFrom(null, null, ...RULES),
  }),
  { freq: 10 },
);
const query = fc.constantFrom(
  '',
  '?a=1&b=%20',
  `?click_id=${CLICK_ID}&a=1`,
  '?utm_source=x&redir=//evil.example',
  `?q=${'x'.repeat(3000)}`,
);
const visitor: fc.Arbitrary<Visitor> = fc.oneof(
  fc.constantFrom(...PLATFORMS).map(personOn),
  fc.constantFrom(IPHONE, ANDROID, DESKTOP, PREVIEW, 'curl/8').map(recogniseVisitor),
);

t.test('the tester always gives the same answer as the engine for a link', async (t) => {
  const outcomes = new Set<string>();
  const property = fc.property(
    fc.record({
      link,
      query,
      visitor,
      interstitial: fc.boolean(),
      defaults: destinations,
      role: fc.constantFrom('link' as const, 'open' as const),
      country: fc.constantFrom('', 'DE', 'FR'),
    }),
    ({ link, query, visitor, interstitial, defaults, role, country }) => {
      const environment = environmentRecord({ interstitial, default_destinations: defaults });
      const campaigns = [{ id: 'cmp_1', environment_number: 1, key: 'spring', utm: { ...UTM, utm_source: 'campaign', utm_medium: 'm' } }];
      const tried = readTriedPath(`/abc${query}`);
      if (tried === null) return false;
      const facts = newFacts();
      beginFacts(facts, 'GET', tried.path, tried.query);
      Object.assign(facts, { host: role === 'link' ? environment.link_host : environment.open_host, visitor });
      const decision = decide(facts, locateLink(facts, tableOf({ environments: [environment], campaigns })), link, NOW, country);

      const question = { tried, host_role: role, domain: null, visitor, country };
      const address = addressOf(question, AS_IT_STANDS, { kind: 'none' });
      const surroundings = { settings: environment, campaigns: new Map(campaigns.map(({ key, utm }) => [key, utm])) };
      const explained = explainLink(question, link, surroundings, NOW);
      outcomes.add(decision.outcome);
      const asked = decision.protection !== null && decision.protection.password !== null;
      return (
        address.kind === 'link' &&
        address.path === decision.path &&
        explained.outcome === (asked ? 'password_page' : decision.outcome) &&
        explained.status === (asked ? 401 : OUTCOME_STATUS[decision.outcome]) &&
        (explained.resolution?.destination ?? '') === decision.destination &&
        (explained.resolution?.params_dropped ?? false) === decision.params_dropped &&
        (explained.params === null) === (decision.query === '') &&
        explained.trace.at(-1)?.rule === 'answer'
      );
    },
  );
  fc.assert(property, { numRuns: 10_000 });
  t.same(
    [...outcomes].sort(),
    Object.keys(OUTCOME_STATUS)
      .filter((outcome) => outcome !== 'to_link' || outcomes.has('to_link'))
      .sort(),
    'every outcome occurred',
  );
});

/** Everything that a client can send in a query. A browser escapes some of it, as the tester does. */
const SENT = [
  ...Array.from({ length: 0x7f - 0x21 }, (_, index) => String.fromCharCode(0x21 + index)).filter((one) => one !== '#'),
  'ä',
  '€',
];
const sentQuery = fc
  .array(fc.oneof(fc.constantFrom(...SENT), fc.constantFrom('&', '=', '%', "'", '%27', 'utm_source=', 'a=')), { maxLength: 30 })
  .map((pieces) => pieces.join(''));

t.test('a visitor whose client escapes nothing is led where the tester says, whatever the query is', async () => {
  const environment = environmentRecord({ interstitial: false });
  const property = fc.property(
    sentQuery,
    fc.constantFrom(null, UTM, { ...UTM, utm_term: "it's" }),
    fc.constantFrom('https://shop.example/', 'https://shop.example/a?b=1&a#x'),
    (query, utm, web) => {
      const link = linkRecord({ allow_param_passthrough: true, utm, destinations: { ...NO_DESTINATIONS, web } });
      const facts = newFacts();
      beginFacts(facts, 'GET', '/abc', query);
      Object.assign(facts, { host: environment.link_host, visitor: personOn('desktop') });
      readQrMark(facts);
      const decision = decide(facts, locateLink(facts, tableOf({ environments: [environment] })), link, NOW);
      const tried = readTriedPath(`/abc?${query}`);
      if (tried === null) return false;
      const question = { tried, host_role: 'link' as const, domain: null, visitor: personOn('desktop'), country: '' };
      const { resolution, params } = explainLink(question, link, { settings: environment, campaigns: new Map() }, NOW);
      if (JSON.stringify(params) !== JSON.stringify(passedParameters(decision.query))) return false;
      return resolution?.destination === decision.destination && new URL(decision.destination).href === decision.destination;
    },
  );
  fc.assert(property, { numRuns: 3000 });
});

t.test('a path is read as the link host reads it, and a path that is not a link is reported as what it is', async (t) => {
  const ask = (text: string, host_role: 'link' | null = 'link') => {
    const tried = readTriedPath(text);
    return tried === null ? null : addressOf({ tried, host_role }, AS_IT_STANDS, { kind: 'none' });
  };
  t.match(ask('/abc/?x=1'), { kind: 'link', path: 'abc' });
  t.match(ask('https://go.shop.example/abc#y'), { kind: 'link', path: 'abc' });
  t.match(ask('/robots.txt'), { kind: 'reserved' });
  t.match(ask('/apple-app-site-association'), { kind: 'reserved' });
  t.match(ask('/a/b'), { kind: 'no_link' });
  t.match(ask('/ä'), { kind: 'no_link' });
  t.match(ask('/'), { kind: 'no_link' });
  t.match(ask('https://a.example/abc', null), { kind: 'unknown_host', detail: /does not belong to this environment/ });
});

t.test('the trace lists every rule in order, with its inputs', async (t) => {
  const tried = readTriedPath('/abc?ref=mail&ref=2') ?? t.bailout('a path');
  const record = linkRecord({
    campaign: 'spring',
    utm: { ...UTM, utm_campaign: null },
    allow_param_passthrough: true,
    destinations: { ...NO_DESTINATIONS, ios: 'javascript:alert(1)' },
  });
  const campaigns = new Map([['spring', { ...UTM, utm_source: 'c', utm_campaign: 'all' }]]);
  const { trace, params, status, resolution } = explainLink(
    { tried: tried as never, host_role: 'link', domain: null, visitor: recogniseVisitor(IPHONE), country: '' },
    record,
    { settings: environmentRecord(), campaigns },
    NOW,
  );
  t.same(
    trace.map(({ rule }) => rule),
    [
      'link',
      'state',
      'visitor',
      'campaign',
      'platform',
      'destination',
      'destination',
      'destination',
      'destination',
      'destination',
      'destination',
      'utm',
      'passthrough',
      'answer',
    ],
  );
  t.match(trace[2], { inputs: { platform: 'ios', os_version: '17.5.1', preview_bot: false } });
  t.match(trace[3], { inputs: { campaign: 'spring', campaign_fields: { utm_source: 'c' } } });
  t.match(trace[5], { inputs: { slot: 'ios', source: 'link', refusal: 'scheme_refused' } });
  t.same(params, { ref: 'mail' });
  t.equal(status, 302);
  t.equal(resolution?.destination, 'https://shop.example/?utm_source=mail&utm_campaign=all&ref=mail&ref=2');
});
