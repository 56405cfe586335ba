import t from 'tap';
import {
  aliasesIn,
  aliasesText,
  countryTwiceIn,
  geoIn,
  geoText,
  namesIn,
} from '../../../../../control-plane/dashboard/screens/links/listed.js';

t.test('aliases are shown one in a line, and the text is read back as the same aliases', async (t) => {
  const aliases = ['a,b', 'sale, now/1', 'plain', 'a/b'].map((path) => ({ host: 'go.example.com', path }));
  t.same(aliasesIn(aliasesText(aliases)), aliases);
  t.same(aliasesIn('https://go.example.com/a\n\n \n'), [{ host: 'go.example.com', path: 'a' }]);
  t.same(aliasesIn(aliasesText([{ host: 'go.example.com', path: 'end ' }])), [{ host: 'go.example.com', path: 'end%20' }]);
});

t.test('names are separated by commas or line breaks', async (t) => {
  t.same(namesIn('a, b\nc,a,'), ['a', 'b', 'c']);
});

t.test('destinations by country are read with any sign between country and URL, and a country has one line', async (t) => {
  const geo = { DE: 'https://example.de/a:b=c', FR: 'https://example.fr' };
  t.same(geoIn(geoText(geo)), geo);
  t.same(geoIn(' de: https://example.de/a:b=c \n\nFR=example.fr'), geo);
  t.same(geoIn('de:https://example.de/a:b=c\nfr = example.fr\n'), geo);
  t.same(geoIn('DE'), { DE: '' }, 'the API says what is missing');
  t.equal(geoIn(' \n'), null);
  t.equal(countryTwiceIn('DE https://example.de/\nFR https://example.fr/\nde https://example.com/'), 'DE');
  t.equal(countryTwiceIn(geoText(geo)), null);
});
