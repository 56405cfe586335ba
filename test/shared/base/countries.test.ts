import { iso31661 } from 'iso-3166';
import t from 'tap';
import { COUNTRIES } from '../../../shared/base/countries.js';

t.test('the countries are those of ISO 3166-1, and Kosovo', async (t) => {
  const assigned = iso31661.filter(({ state }) => state === 'assigned').map(({ alpha2 }) => alpha2);
  t.same([...COUNTRIES], [...assigned, 'XK'].sort());
});
