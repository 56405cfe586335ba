import t from 'tap';
import { placeOfHeaders } from '../../../../engine/shipping/rows/header-place.js';

t.test('a region counts only if it belongs to the country, with or without the country in its code', async (t) => {
  for (const [region, read] of [
    ['BE', 'DE-BE'],
    ['de-be', 'DE-BE'],
    ['09', 'DE-09'],
    ['FR-IDF', ''],
    ['Berlin', ''],
    ['', ''],
  ] as const)
    t.same(placeOfHeaders({ country: 'de', region, city: '' }), { country: 'DE', region: read, city: '' }, region);
});

t.test('a city is read as plain or percent-encoded text, and is cut at 100 characters', async (t) => {
  for (const [city, read] of [
    ['Berlin', 'Berlin'],
    ['Zürich', 'Zürich'],
    ['東京', '東京'],
    ['Ã¼', 'Ã¼'],
    ['Z%C3%BCrich', 'Zürich'],
    ['S%C3%A3o%20Paulo ', 'São Paulo'],
    ['100%25%', '100%25%'],
    ['Z\u00fc', 'Zü'],
    ['a%0Ab', ''],
    ['a%00b', ''],
    ['\uFFFD', ''],
    ['', ''],
    ['x'.repeat(300), 'x'.repeat(100)],
  ] as const)
    t.same(placeOfHeaders({ country: 'DE', region: '', city }), { country: 'DE', region: '', city: read }, JSON.stringify(city));
});

t.test('without a country there is no region and no city', async (t) => {
  for (const country of ['', 'XX', 'xx', 'ZZ', 'zz', 'T1', 'DEU', 'ß'])
    t.same(placeOfHeaders({ country, region: 'BE', city: 'Berlin' }), { country: '', region: '', city: '' }, country);
});
