import { type LinkRules, rulesText } from '../../../shared/records/link-rules.js';
import type { LinkRecord } from '../../../shared/records/records.js';
import fc from '../../support/properties.js';

/** Texts that PostgreSQL can hold: well-formed, from any plane, short and long. */
const text = fc.oneof(
  fc.string({ maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.webUrl({ withQueryParameters: true }),
);
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null });
const destination = maybe(fc.oneof(fc.webUrl({ withQueryParameters: true }), text));

const rules: fc.Arbitrary<LinkRules> = fc.record({
  active_from_ms: fc.oneof(fc.constant(0), fc.constant(0), fc.integer({ min: 1, max: 4e12 })),
  max_clicks: fc.oneof(fc.constant(null), fc.constant(null), fc.integer({ min: 1, max: 9 })),
  used_up: fc.constant(false),
  password: fc.oneof(fc.constant(null), fc.constant(null), text),
  geo: fc.oneof(fc.constant(null), fc.constant(null), fc.constant({ DE: 'https://shop.example/de' })),
  interstitial: fc.oneof(fc.constant(null), fc.constant(null), fc.boolean()),
});

export const anyPath = fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/);

/** Any link that a row of the database can yield. */
export const anyLink: fc.Arbitrary<LinkRecord> = fc.record(
  {
    id: fc.stringMatching(/^lnk_[0-9a-z]{26}$/),
    state: fc.constantFrom('active', 'active', 'active', 'disabled', 'blocked', 'deleted'),
    expires_at_ms: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 4e12 })),
    deep_link_path: text.map((path) => `/${path}`),
    data: maybe(fc.json()),
    campaign: maybe(fc.constantFrom('spring', 'a-campaign-with-a-long-key')),
    utm: maybe(
      fc.record(
        { utm_source: maybe(text), utm_medium: maybe(text), utm_campaign: maybe(text), utm_term: maybe(text), utm_content: text },
        { noNullPrototype: true },
      ),
    ),
    allow_param_passthrough: fc.boolean(),
    destinations: fc.record(
      { ios: destination, android: destination, web: destination, desktop: destination, fallback: destination },
      { noNullPrototype: true },
    ),
    card: maybe(fc.json()),
    rules: rules.map(rulesText),
  },
  { noNullPrototype: true },
);
