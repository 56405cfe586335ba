import t from 'tap';
import { geoErrors, placedGeo, storedGeo } from '../../../control-plane/links/geo.js';
import { GEO_CHARACTERS_MAX } from '../../../shared/base/limits.js';

t.test('destinations by country are stored as serialised URLs in the order of the countries', async (t) => {
  t.same(storedGeo({ FR: 'https://müller.de/a b', DE: 'https://example.de' }), {
    DE: 'https://example.de/',
    FR: 'https://xn--mller-kva.de/a%20b',
  });
  t.equal(storedGeo({}), null);
  t.same(placedGeo({ DE: 'https://example.de', FR: 'nope' }), [{ pointer: '/geo/DE', url: 'https://example.de/' }]);
});

t.test('errors name the country of the refused destination', async (t) => {
  t.match(geoErrors({ DE: 'javascript:alert(1)', FR: 'https://example.fr/' }), [{ pointer: '/geo/DE', code: 'scheme_not_allowed' }]);
  t.match(geoErrors({ 'a/b~': 'javascript:alert(1)' }), [{ pointer: '/geo/a~1b~0' }]);
  const url = `https://example.de/${'x'.repeat(2000)}`;
  const many = Object.fromEntries(['DE', 'FR', 'IT', 'ES', 'PT', 'NL', 'BE', 'AT', 'CH'].map((country) => [country, url]));
  t.ok(9 * url.length > GEO_CHARACTERS_MAX);
  t.match(geoErrors(many), [{ pointer: '/geo', code: 'too_long' }]);
  const escaped = Object.fromEntries(
    Object.keys(many).map((country) => [country, new URL(`https://example.de/${'\u3042'.repeat(300)}`).href]),
  );
  t.ok(JSON.stringify(escaped).length > GEO_CHARACTERS_MAX);
  t.same(geoErrors(escaped), [], 'an escaped character counts once');
  for (const value of [null, undefined, 'text', 5, [], { DE: 5 }]) t.same(geoErrors(value), []);
});
