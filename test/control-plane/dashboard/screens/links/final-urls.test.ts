import t from 'tap';
import { finalUrl } from '../../../../../control-plane/dashboard/screens/links/final-urls.js';
import type { Destinations, LinkRecord } from '../../../../../shared/records/records.js';
import { followLink } from '../../../../../shared/resolve/follow-link.js';
import { UNKNOWN_VISITOR } from '../../../../../shared/resolve/recognise-visitor.js';
import fc from '../../../../support/properties.js';

const NO_UTM = { utm_source: null, utm_medium: null, utm_campaign: null, utm_term: null, utm_content: null };
const NOWHERE: Destinations = { web: null, ios: null, android: null, desktop: null, fallback: null };
const VISITORS = ['ios', 'android', 'desktop', 'other'] as const;

const url = fc.constantFrom(
  'https://shop.example/',
  'https://shop.example/spring?page=1#top',
  'https://shop.example/?utm_source=own',
  'https://shop.example/?utm%5Fsource=own&',
  'https://shop.example/?',
  'http://shop.example/a%20b#?not=a-query',
);
const appUrl = fc.oneof(url, fc.constantFrom('shop://sale/42?a=b', 'https://apps.apple.com/app/id1'));
const pattern = fc.constantFrom(
  'https://shop.example{deep_link_path}',
  'https://shop.example/{deep_link_path}',
  'https://shop.example/open?to={deep_link_path}',
  'https://shop.example{deep_link_path}?from=link#top',
  'https://shop.example{deep_link_path}/app?',
  'https://shop.example/fixed',
);
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null, freq: 2 });
const destinations = fc.record({ web: maybe(url), ios: maybe(appUrl), android: maybe(appUrl), desktop: maybe(url), fallback: maybe(url) });
const defaults = fc.record({
  web: maybe(pattern),
  ios: maybe(pattern),
  android: fc.constant(null),
  desktop: maybe(pattern),
  fallback: maybe(pattern),
});
const utm = fc.record({
  utm_source: maybe(fc.constantFrom('mail', 'a b&c', 'ü', "it's")),
  utm_medium: maybe(fc.constant('email')),
  utm_campaign: fc.constant(null),
  utm_term: fc.constant(null),
  utm_content: maybe(fc.constant('first/button')),
});
const deepLinkPath = fc.constantFrom('/', '/product/42', 'product/42', '/a b?c=ü#d', '/a?', '/a?b=1', '/a#', '/100%', "/it's?a='");
const stores = fc.record({ ios: maybe(fc.constant('https://apps.apple.com/app/id1')), android: maybe(fc.constant(null)) });

t.test('the form of a link shows the same URLs as the link hosts redirect to', async (t) => {
  fc.assert(
    fc.property(
      fc.constantFrom(...VISITORS),
      destinations,
      defaults,
      fc.tuple(utm, maybe(utm)),
      deepLinkPath,
      stores,
      (platform, own, default_destinations, [fields, campaign], deep_link_path, { ios }) => {
        const settings = {
          default_destinations,
          interstitial: false,
          ios_apps: ios === null ? [] : [{ app_store_url: ios }],
          android_apps: [],
        } as unknown as Parameters<typeof followLink>[2]['settings'];
        const link: LinkRecord = {
          ...{ id: '', state: 'active' as const, expires_at_ms: 0, data: null, campaign: campaign === null ? null : 'c' },
          ...{ allow_param_passthrough: false, card: null, rules: null, utm: fields, destinations: own, deep_link_path },
        };
        const answer = followLink(
          link,
          { visitor: { ...UNKNOWN_VISITOR, platform }, query: '', host_role: 'link', country: '' },
          { settings, campaigns: new Map(campaign === null ? [] : [['c', campaign]]) },
          { nowMs: 0 },
        );
        const values = {
          ...Object.fromEntries(Object.entries(own).map(([slot, text]) => [`/destinations/${slot}`, text ?? ''])),
          ...Object.fromEntries(Object.entries(fields).map(([name, text]) => [`/${name}`, text ?? ''])),
          '/deep_link_path': deep_link_path,
        };
        const shown = finalUrl(platform, values, settings as unknown as Parameters<typeof finalUrl>[2], campaign);
        t.equal(shown?.url ?? '', answer.kind === 'resolved' ? answer.resolution.destination : 'stopped');
      },
    ),
  );
});

t.test('no URL is shown for text that the API would refuse', async (t) => {
  const settings = { default_destinations: NOWHERE, ios_apps: [], android_apps: [] } as unknown as Parameters<typeof finalUrl>[2];
  for (const text of ['', 'htt', 'https://', 'javascript:alert(1)', 'shop://sale', 'https://shop.example/a b'])
    t.equal(finalUrl('desktop', { '/destinations/web': text }, settings, NO_UTM), null, text);
  t.equal(
    finalUrl('desktop', { '/destinations/web': 'shop.example' }, settings, null)?.url,
    'https://shop.example/',
    'a missing scheme is added, as when the form is sent',
  );
});
