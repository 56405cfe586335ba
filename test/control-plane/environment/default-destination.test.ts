import t from 'tap';
import { storedDefaultDestination } from '../../../control-plane/environment/default-destination.js';
import type { DestinationSlot, Destinations } from '../../../shared/records/records.js';
import { chooseDestination } from '../../../shared/resolve/destination.js';
import fc from '../../support/properties.js';

const NONE: Destinations = { ios: null, android: null, web: null, desktop: null, fallback: null };

t.test('a pattern is stored as a serialised URL with its placeholders in place', async (t) => {
  for (const [slot, text, expected] of [
    ['web', 'HTTPS://Example.com', 'https://example.com/'],
    ['web', 'https://EXAMPLE.com{deep_link_path}', 'https://example.com{deep_link_path}'],
    ['web', 'https://example.com:443{deep_link_path}', 'https://example.com{deep_link_path}'],
    ['web', 'https://example.com/ä/{deep_link_path}?x=ö', 'https://example.com/%C3%A4/{deep_link_path}?x=%C3%B6'],
    ['web', 'https://example.com/?to={deep_link_path}#{deep_link_path}', 'https://example.com/?to={deep_link_path}#{deep_link_path}'],
    ['web', 'https://example.com{deep_link_path}?to={deep_link_path}', 'https://example.com{deep_link_path}?to={deep_link_path}'],
    ['ios', 'Shop:/{deep_link_path}', 'shop:/{deep_link_path}'],
    ['android', 'shop://{deep_link_path}', 'shop://{deep_link_path}'],
    ['web', 'https://example.com/deep-link-path/{deep_link_path}', 'https://example.com/deep-link-path/{deep_link_path}'],
  ] as const)
    t.same(storedDefaultDestination(text, slot, null), { kind: 'ok', url: expected }, text);
});

t.test('a pattern is refused if a link could choose its host or if it is no valid destination', async (t) => {
  for (const [slot, text, code] of [
    ['web', 'https://{deep_link_path}', 'misplaced_placeholder'],
    ['web', 'https://{deep_link_path}.example.com/', 'misplaced_placeholder'],
    ['web', 'https://user@{deep_link_path}', 'invalid_url'],
    ['web', 'https:{deep_link_path}', 'invalid_url'],
    ['web', 'https://x.example@{{deep_link_path}@{', 'invalid_url'],
    ['web', '{deep_link_path}', 'invalid_url'],
    ['web', 'https://example.com/{id}', 'unknown_placeholder'],
    ['web', 'https://example.com/{deep_link_paths}', 'unknown_placeholder'],
    ['web', 'shop:/{deep_link_path}', 'scheme_not_allowed'],
    ['ios', 'javascript:{deep_link_path}', 'scheme_not_allowed'],
    ['web', `https://example.com/${'a'.repeat(2040)}{deep_link_path}`, 'too_long'],
    ['web', 'https://example.com/\u0000{deep_link_path}', 'control_character'],
  ] as const)
    t.match(storedDefaultDestination(text, slot, null), { kind: 'refused', code }, text);
});

t.test('the length limit applies to the pattern as written', async (t) => {
  const longest = 'https://x.example{deep_link_path}?'.padEnd(2048, 'x');
  t.same(storedDefaultDestination(longest, 'web', null), { kind: 'ok', url: longest });
  t.match(storedDefaultDestination(`${longest}x`, 'web', null), { kind: 'refused', code: 'too_long' });
});

t.test('every stored pattern leads to its own host, whatever the deep link path', async () => {
  const pieces = fc.constantFrom('{deep_link_path}', '/', '?', '#', 'a', ':80', '@', '\\', '..', '%', '{', 'b.example', '//');
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 8 }), fc.string({ unit: 'binary', maxLength: 30 }), (parts, path) => {
      const stored = storedDefaultDestination(`https://x.example${parts.join('')}`, 'web', null);
      if (stored.kind === 'refused') return true;
      const again = storedDefaultDestination(stored.url, 'web', null);
      if (again.kind !== 'ok' || again.url !== stored.url) return false;
      const host = new URL(stored.url.replaceAll('{deep_link_path}', '/')).host;
      const choice = chooseDestination(
        'other',
        { destinations: NONE, deep_link_path: path },
        { ...NONE, ['web' satisfies DestinationSlot]: stored.url },
      );
      return choice !== null && new URL(choice.url).host === host;
    }),
    { numRuns: 5000 },
  );
});
