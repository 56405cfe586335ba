import t from 'tap';
import type { Utm } from '../../../shared/records/records.js';
import { queryOf, utmParameters } from '../../../shared/resolve/utm.js';

const NONE: Utm = { utm_source: null, utm_medium: null, utm_campaign: null, utm_term: null, utm_content: null };

t.test("a UTM field is the link's own, otherwise that of its campaign", async (t) => {
  const parameters = utmParameters({ ...NONE, utm_source: 'mail' }, { ...NONE, utm_source: 'site', utm_medium: 'banner', utm_term: '' });
  t.equal(queryOf(parameters), 'utm_source=mail&utm_medium=banner');
});

t.test('without UTM fields there are no parameters', async (t) => {
  t.equal(utmParameters(null, null).length, 0);
  t.equal(queryOf(utmParameters(NONE, null)), '');
});

t.test('the values of UTM fields are encoded', async (t) => {
  t.equal(
    queryOf(utmParameters({ ...NONE, utm_campaign: "Größe & 'mehr'\r\n#" }, null)),
    'utm_campaign=Gr%C3%B6%C3%9Fe%20%26%20%27mehr%27%0D%0A%23',
  );
});
