import t from 'tap';
import { parseUrl } from '../../../shared/base/parse-url.js';
import { DESTINATION_SLOTS } from '../../../shared/records/records.js';
import {
  destinationKind,
  destinationRefusal,
  isDestinationKind,
  isHeaderSafe,
  isWebUrl,
  judgeDestination,
  storeWebUrl,
} from '../../../shared/resolve/destination-safety.js';
import fc from '../../support/properties.js';

t.test('http and https URLs with a host are allowed in every slot', async (t) => {
  for (const url of [
    'https://shop.example',
    'http://shop.example/',
    'HTTPS://SHOP.EXAMPLE/a?b=c#d',
    'https://user:password@shop.example:8443/a',
    'https://[2001:db8::1]:443/a',
    'https://shop.example?x=https://other.example',
    'https://shop.example/a\\b',
  ])
    for (const slot of DESTINATION_SLOTS) t.equal(destinationRefusal(url, slot), null, `${url} as ${slot}`);
});

t.test('URLs that run code or read files are refused in every slot, in any spelling', async (t) => {
  for (const scheme of ['javascript', 'data', 'vbscript', 'file', 'blob', 'JavaScript', 'DATA', 'VBScript', 'File', 'bLoB'])
    for (const slot of DESTINATION_SLOTS) t.equal(destinationRefusal(`${scheme}:alert(1)`, slot), 'scheme_refused', scheme);
  for (const url of [
    'java\tscript:alert(1)',
    'java\nscript:alert(1)',
    ' javascript:alert(1)',
    '\u0001javascript:alert(1)',
    'javascript:alert(1)\r\n',
    'jаvascript:alert(1)',
  ])
    t.equal(destinationRefusal(url, 'ios'), 'unprintable_character', JSON.stringify(url));
});

t.test('text that is not a URL with a host is refused', async (t) => {
  for (const url of [
    '',
    '/a',
    '//other.example/a',
    'shop.example',
    'https:',
    'https:/shop.example',
    'https:///shop.example',
    'https://?x',
    'https://#x',
    'https://@/',
    'https://shop.example\\@other.example',
    'https:\\\\shop.example',
    ':a',
    '1a:b',
  ]) {
    const refusal = destinationRefusal(url, 'web');
    t.ok(refusal === 'not_a_url' || (url === '' && refusal === 'unprintable_character'), url);
  }
});

t.test("an app's own scheme is allowed for ios and android only", async (t) => {
  for (const slot of DESTINATION_SLOTS)
    t.equal(destinationRefusal('shop://product/1', slot), slot === 'ios' || slot === 'android' ? null : 'custom_scheme_refused', slot);
});

t.test('kinds of destinations are recognised by host and scheme', async (t) => {
  const kinds = Object.fromEntries(
    [
      'https://play.google.com/store/apps/details?id=a',
      'https://PLAY.google.com:443/store',
      'market://details?id=a',
      'https://apps.apple.com/app/id1',
      'https://itunes.apple.com/app/id1',
      'itms-apps://apps.apple.com/app/id1',
      'https://play.google.com.other.example/',
      'https://other.example/play.google.com',
      'https://play.google.com@other.example/',
      'shop://a',
    ].map((url) => [url, destinationKind(url)]),
  );
  t.same(
    Object.values(kinds),
    ['play_store', 'play_store', 'play_store', 'app_store', 'app_store', 'app_store', 'web', 'web', 'web', 'custom_scheme'],
    JSON.stringify(kinds),
  );
});

t.test('a character outside of 0x21 to 0x7E is never safe in a header', async () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const safe = [...text].every((character) => character >= '\x21' && character <= '\x7e');
      return isHeaderSafe(text) === (safe && text !== '');
    }),
  );
});

t.test('a text that is accepted as a web URL has the host that a browser would visit', async () => {
  const piece = fc.constantFrom(
    'https',
    'http',
    'HTTP',
    ':',
    '/',
    '//',
    '\\',
    '@',
    'a.example',
    'b.example',
    '?',
    '#',
    '.',
    ':80',
    '[::1]',
    'x',
    '%00',
    '%2f',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 9 }), (pieces) => {
      const url = pieces.join('');
      if (!isWebUrl(url) || parseUrl(url) === null) return true;
      const host = /^https?:\/\/(?:[^/?#@]*@)?(\[[^\]]*\]|[^/?#:]*)/i.exec(url)?.[1]?.toLowerCase() ?? '';
      return new URL(url).hostname === new URL(`http://${host}/`).hostname;
    }),
    { numRuns: 5000 },
  );
});

t.test('the combined check of a URL gives the same result as the checks for refusal and kind', async () => {
  const host = fc.constantFrom(
    'play.google.com',
    'PLAY.google.com',
    'apps.apple.com',
    'appgallery.huawei.com',
    'a.example',
    '[::1]',
    '',
    'x@y',
    'a\\b',
    'h:80',
  );
  const start = fc.constantFrom(
    'https://',
    'http://',
    'HTTPS://',
    'https:/',
    'market://',
    'shop://',
    'javascript:',
    'itms-apps://',
    'data:',
    ' https://',
  );
  const end = fc.constantFrom('', '/', '?a=1', '#f', '/a b', '/\r\nX: y', '/ü', ':8080/x', '//x', '\\x');
  const url = fc.oneof(
    fc.tuple(start, host, end).map((parts) => parts.join('')),
    fc.webUrl(),
    fc.string(),
  );
  fc.assert(
    fc.property(url, fc.constantFrom(...DESTINATION_SLOTS), (text, slot) => {
      const judged = judgeDestination(text, slot);
      const refusal = destinationRefusal(text, slot);
      return judged === (refusal ?? destinationKind(text)) && isDestinationKind(judged) === (refusal === null);
    }),
    { numRuns: 3000 },
  );
});

t.test('the page of a store has one web address, for every scheme that a destination uses for it', async (t) => {
  for (const [url, expected] of [
    ['https://apps.apple.com/app/id1', 'https://apps.apple.com/app/id1'],
    ['itms-apps://apps.apple.com/app/id1?l=de', 'https://apps.apple.com/app/id1?l=de'],
    ['ITMS-APPSS://itunes.apple.com/app/id1', 'https://itunes.apple.com/app/id1'],
    ['market://details?id=a.b&hl=de', 'https://play.google.com/store/apps/details?id=a.b&hl=de'],
    ['MARKET://details?id=a', 'https://play.google.com/store/apps/details?id=a'],
    ['market://search?q=pub:x', 'https://play.google.com/store/search?q=pub:x'],
    ['market://detailsx?id=a', ''],
    ['market://launch', ''],
    ['itms-apps:app/id1', ''],
    ['itms-apps://a\\@b/', ''],
    ['shop://a', ''],
  ] as const)
    t.equal(storeWebUrl(url), expected, url);
});
