import t from 'tap';
import { readCountryCode } from '../../../engine/countries/country-code.js';

t.test('a country is two letters in either case, and what a proxy sends for an unknown one is none', async (t) => {
  for (const header of ['DE', 'de', 'De']) t.equal(readCountryCode(header), 'DE');
  for (const header of ['', 'XX', 'xx', 'ZZ', 'zz', 'T1', 'A1', 'D', 'DEU', ' D', 'ß', 'd\u0000'])
    t.equal(readCountryCode(header), '', header);
});
