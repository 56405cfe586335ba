import t from 'tap';
import { DESTINATION_SLOTS, type Destinations } from '../../../shared/records/records.js';
import { BLOCKED_DESTINATION } from '../../../shared/resolve/destination.js';
import { defaultSlots, directItemSlots, directSlotOf, directSlots, isDefaultBefore } from '../../../shared/resolve/direct-destination.js';
import { PLATFORMS } from '../../../shared/resolve/recognise-visitor.js';
import { linkRecord, NO_DESTINATIONS } from '../../engine/fixtures.js';

const WEB = 'https://shop.example/';
const APP_STORE = 'https://apps.apple.com/app/id99';
const PLAY_STORE = 'https://play.google.com/store/apps/details?id=com.shop';
const UTM = { utm_source: 'mail', utm_medium: null, utm_campaign: null, utm_term: null, utm_content: null };

/** The names of the slots by platform; '' if there is none. */
function named(slots: number): Readonly<Record<string, string>> {
  return Object.fromEntries(PLATFORMS.map((platform) => [platform, DESTINATION_SLOTS[directSlotOf(slots, platform) - 1] ?? '']));
}

interface Case {
  readonly name: string;
  readonly destinations: Partial<Destinations>;
  readonly direct: Partial<Record<(typeof PLATFORMS)[number], string>>;
}

const CASES: readonly Case[] = [
  { name: 'nothing', destinations: {}, direct: {} },
  { name: 'the web', destinations: { web: WEB }, direct: { ios: 'web', android: 'web', desktop: 'web', other: 'web' } },
  {
    name: 'a slot for each',
    destinations: { ios: WEB, android: WEB, web: WEB, desktop: WEB, fallback: WEB },
    direct: { ios: 'ios', android: 'android', desktop: 'desktop', other: 'web' },
  },
  { name: 'a phone before the web', destinations: { ios: 'shop://a', web: WEB }, direct: { android: 'web', desktop: 'web', other: 'web' } },
  {
    name: 'an app store is led to over the open page',
    destinations: { ios: APP_STORE, fallback: APP_STORE },
    direct: { desktop: 'fallback', other: 'fallback' },
  },
  { name: 'the Play Store is told the click', destinations: { fallback: PLAY_STORE }, direct: {} },
  {
    name: 'a refused destination is passed over',
    destinations: { ios: 'javascript:alert(1)', web: WEB },
    direct: { ios: 'web', android: 'web', desktop: 'web', other: 'web' },
  },
  {
    name: 'a blocked one is not',
    destinations: { desktop: BLOCKED_DESTINATION, web: WEB },
    direct: { ios: 'web', android: 'web', other: 'web' },
  },
];

for (const { name, destinations, direct } of CASES)
  t.test(`direct destinations: ${name}`, async (t) => {
    const link = linkRecord({ destinations: { ...NO_DESTINATIONS, ...destinations } });
    const expected = { ios: '', android: '', desktop: '', other: '', ...direct };
    t.same(named(directSlots(link)), expected);
    t.same(named(directSlots({ ...link, state: 'disabled', expires_at_ms: 1 })), expected, 'in every state');
    t.same(named(directItemSlots(link)), expected, 'the same for an item');
    t.equal(directSlots({ ...link, utm: UTM }), 0, 'not with UTM fields of its own');
    t.equal(directSlots({ ...link, campaign: 'spring' }), 0, 'not in a campaign');
  });

t.test('if destinations get the click id, none is direct', async (t) => {
  const defaults = defaultSlots({ default_destinations: NO_DESTINATIONS, append_click_id: true });
  for (const platform of PLATFORMS)
    for (const slot of DESTINATION_SLOTS)
      t.ok(isDefaultBefore(defaults, platform, DESTINATION_SLOTS.indexOf(slot) + 1), `${platform} ${slot}`);
});

t.test('a default of a slot that is tried earlier goes first', async (t) => {
  const before = (platform: (typeof PLATFORMS)[number], slot: keyof Destinations) =>
    DESTINATION_SLOTS.filter((name) =>
      isDefaultBefore(
        defaultSlots({ default_destinations: { ...NO_DESTINATIONS, [name]: WEB }, append_click_id: false }),
        platform,
        DESTINATION_SLOTS.indexOf(slot) + 1,
      ),
    );
  t.same(before('ios', 'ios'), []);
  t.same(before('ios', 'web'), ['ios', 'fallback']);
  t.same(before('android', 'fallback'), ['android']);
  t.same(before('desktop', 'fallback'), ['web', 'desktop']);
  t.same(before('other', 'web'), []);
});
