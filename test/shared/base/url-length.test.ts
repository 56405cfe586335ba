import t from 'tap';
import { characterCount } from '../../../shared/base/issue.js';
import { isUrlTooLong, urlCharacterCount } from '../../../shared/base/url-length.js';
import fc from '../../support/properties.js';

t.test('an escaped character counts once, and a host name as it is written', async (t) => {
  for (const [url, count] of [
    ['https://example.com/abc', 23],
    ['https://example.com/%C3%A9', 21],
    ['https://example.com/%e3%81%82%F0%9F%98%80', 22],
    ['https://example.com/a%20b', 23],
    ['https://example.com/%zz%4', 25],
    ['https://example.com/%FF', 21],
    ['https://xn--bcher-kva.de/', 18],
    ['https://user@xn--bcher-kva.de:8080/xn--bcher-kva', 41],
    ['shop://xn--bcher-kva', 20],
    ['\u{1f600}', 1],
    ['', 0],
  ] as const)
    t.equal(urlCharacterCount(url), count, url);
});

t.test('a URL is no longer in the form in which it is stored than as it was written', async () => {
  const piece = fc.constantFrom(
    'a',
    'Z',
    '9',
    '/',
    '?',
    '#',
    '&',
    '%',
    '%41',
    '%C3%A9',
    ' ',
    '"',
    "'",
    '{',
    '\u00e9',
    '\u3042',
    '\u{1f600}',
  );
  const host = fc.constantFrom('example.com', 'b\u00fccher.de', '\u4f8b\u3048.jp', 'EXAMPLE.com');
  fc.assert(
    fc.property(host, fc.array(piece, { maxLength: 40 }), (name, pieces) => {
      const text = `https://${name}/${pieces.join('')}x`;
      return urlCharacterCount(new URL(text).href) <= characterCount(text);
    }),
  );
});

t.test('2,048 characters are not too many, unless they are more than 8,192 when escaped', async (t) => {
  const url = (count: number, character: string) => `https://example.com/${character.repeat(count - 20)}`;
  t.equal(isUrlTooLong(url(2048, 'a')), false);
  t.equal(isUrlTooLong(url(2049, 'a')), true);
  t.equal(isUrlTooLong(url(2048, '\u{1f600}')), false);
  t.equal(isUrlTooLong(url(2049, '\u{1f600}')), true);
  t.equal(isUrlTooLong(url(2048, '%20')), false);
  t.equal(isUrlTooLong(url(2049, '%20')), true);
  t.equal(isUrlTooLong(url(1000, '%E3%81%82')), true);
});
