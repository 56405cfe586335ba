import t from 'tap';
import { DESTINATION_SLOTS, type Destinations } from '../../../shared/records/records.js';
import {
  BLOCKED_DESTINATION,
  chooseDestination,
  fillDeepLinkPath,
  SLOT_ORDER,
  type SlotTrial,
} from '../../../shared/resolve/destination.js';
import { PLATFORMS } from '../../../shared/resolve/recognise-visitor.js';
import fc from '../../support/properties.js';

const NONE: Destinations = { ios: null, android: null, web: null, desktop: null, fallback: null };
const ALL: Destinations = Object.fromEntries(
  DESTINATION_SLOTS.map((slot) => [slot, `https://own.example/${slot}`]),
) as unknown as Destinations;
const DEFAULTS: Destinations = Object.fromEntries(
  DESTINATION_SLOTS.map((slot) => [slot, `https://default.example/${slot}{deep_link_path}`]),
) as unknown as Destinations;
const subject = (destinations: Destinations, deep_link_path = '/p/1') => ({ destinations, deep_link_path });

t.test('each platform tries its slots in order', async (t) => {
  const orders = {
    ios: ['ios', 'fallback', 'web'],
    android: ['android', 'fallback', 'web'],
    desktop: ['desktop', 'web', 'fallback'],
    other: ['web', 'fallback'],
  };
  t.same(SLOT_ORDER, orders);
  for (const platform of PLATFORMS) {
    let left: Destinations = ALL;
    for (const slot of SLOT_ORDER[platform]) {
      t.match(chooseDestination(platform, subject(left), NONE), { slot, source: 'link', url: `https://own.example/${slot}` });
      left = { ...left, [slot]: null };
    }
    t.equal(chooseDestination(platform, subject(left), NONE), null, `${platform} has no other destination`);
  }
});

t.test("the environment's default for a slot goes before the link's next slot", async (t) => {
  const own = { ...NONE, fallback: 'https://own.example/fallback' };
  t.match(chooseDestination('ios', subject(own), DEFAULTS), { slot: 'ios', source: 'environment', url: 'https://default.example/ios/p/1' });
});

t.test('a destination that may not be used counts as absent', async (t) => {
  for (const planted of [
    'javascript:alert(1)',
    'https://x.example/\r\nA: b',
    'data:text/html,x',
    'file:///etc/passwd',
    '//other.example',
    'https://x.example/ä',
  ])
    t.match(
      chooseDestination('ios', subject({ ...NONE, ios: planted, web: 'https://own.example/' }), NONE),
      { slot: 'web', source: 'link' },
      planted,
    );
  t.equal(chooseDestination('desktop', subject({ ...NONE, desktop: 'shop://a' }), NONE), null);
});

t.test('every attempt at a slot can be listed', async (t) => {
  const trials: SlotTrial[] = [];
  chooseDestination(
    'ios',
    subject({ ...NONE, ios: 'javascript:x' }),
    { ...NONE, fallback: 'https://default.example{deep_link_path}' },
    trials,
  );
  t.same(trials, [
    { slot: 'ios', source: 'link', url: 'javascript:x', refusal: 'scheme_refused' },
    { slot: 'ios', source: 'environment', url: null, refusal: null },
    { slot: 'fallback', source: 'link', url: null, refusal: null },
    { slot: 'fallback', source: 'environment', url: 'https://default.example/p/1', refusal: null },
  ]);
});

t.test('the deep link path is inserted as a path before the query, and as an escaped value inside it', async (t) => {
  for (const [pattern, path, expected] of [
    ['https://x.example{deep_link_path}', '/p/1', 'https://x.example/p/1'],
    ['https://x.example/{deep_link_path}', '/p/1', 'https://x.example/p/1'],
    ['https://x.example/app{deep_link_path}', '/p?a=1&b=2#c', 'https://x.example/app/p?a=1&b=2#c'],
    ['https://x.example/?to={deep_link_path}', '/p?a=1&b=2#c', 'https://x.example/?to=%2Fp%3Fa%3D1%26b%3D2%23c'],
    ['https://x.example/#{deep_link_path}', '/p', 'https://x.example/#%2Fp'],
    ['https://x.example{deep_link_path}?again={deep_link_path}', '/p', 'https://x.example/p?again=%2Fp'],
    ['https://x.example{deep_link_path}', '/ä b', 'https://x.example/%C3%A4%20b'],
    ['https://x.example{deep_link_path}', '/a%20b%', 'https://x.example/a%20b%25'],
    ['https://x.example{deep_link_path}?from=link', '/p?a=1', 'https://x.example/p?a=1&from=link'],
    ['https://x.example{deep_link_path}?from=link', '/p#part', 'https://x.example/p?from=link#part'],
    ['https://x.example{deep_link_path}/app?from=link#top', '/p?a=1#part', 'https://x.example/p/app?a=1&from=link#part'],
    ['https://x.example{deep_link_path}#top', '/p?a=1', 'https://x.example/p?a=1#top'],
    ['https://x.example{deep_link_path}?again={deep_link_path}', '/p?a=1', 'https://x.example/p?a=1&again=%2Fp%3Fa%3D1'],
    ['https://x.example{deep_link_path}?from=link', '/p?', 'https://x.example/p?from=link'],
    ['https://x.example{deep_link_path}?', '/p?a=1', 'https://x.example/p?a=1'],
    ['shop:/{deep_link_path}', '/p/1', 'shop://p/1'],
    ['shop:/{deep_link_path}?from=link', '/p?a=1', 'shop://p?a=1&from=link'],
    ['https://x.example/plain', '/p', 'https://x.example/plain'],
  ] as const)
    t.equal(fillDeepLinkPath(pattern, path), expected, pattern);
});

t.test('no deep link path changes the host of a default', async (t) => {
  for (const pattern of ['https://{deep_link_path}', 'https:/{deep_link_path}', 'https:{deep_link_path}', 'https://user@{deep_link_path}'])
    t.equal(chooseDestination('other', subject(NONE, '/other.example/x'), { ...NONE, web: pattern }), null, pattern);
  fc.assert(
    fc.property(
      fc.constantFrom(
        'https://x.example{deep_link_path}',
        'https://x.example:8443/a{deep_link_path}?b',
        'https://x.example/?to={deep_link_path}',
      ),
      fc.string({ unit: 'binary' }),
      (pattern, path) => {
        const choice = chooseDestination('other', subject(NONE, path), { ...NONE, web: pattern });
        return choice !== null && new URL(choice.url).hostname === 'x.example';
      },
    ),
    { numRuns: 3000 },
  );
});

t.test('a blocked destination stops the visitor, and the next slot is not used', async (t) => {
  const defaults = { ...NONE, web: BLOCKED_DESTINATION, fallback: 'https://other.example/' };
  t.match(chooseDestination('desktop', subject(NONE), defaults), { kind: 'blocked', slot: 'web', source: 'environment', url: '' });
  t.match(chooseDestination('desktop', subject({ ...NONE, web: 'https://own.example/' }), defaults), { kind: 'web' });
  t.match(chooseDestination('desktop', subject({ ...NONE, web: BLOCKED_DESTINATION }), NONE), { kind: 'blocked', source: 'link' });
});
