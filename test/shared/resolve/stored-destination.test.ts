import t from 'tap';
import { DESTINATION_SLOTS } from '../../../shared/records/records.js';
import { type OwnSchemes, storedDestination, storedPattern } from '../../../shared/resolve/stored-destination.js';
import fc from '../../support/properties.js';

const DANGEROUS = [
  'javascript:alert(1)',
  'JavaScript:alert(1)',
  'JAVASCRIPT://example.com/%0aalert(1)',
  ' javascript:alert(1)',
  'javascript&colon;alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'DATA:text/html;base64,PHNjcmlwdD4=',
  'vbscript:msgbox(1)',
  'file:///etc/passwd',
  'blob:https://example.com/1',
  'filesystem:https://example.com/1',
  'view-source:https://example.com',
  'about:blank',
  'intent://x#Intent;scheme=http;end',
  'ws://example.com',
  'ftp://example.com',
  'content://com.example.provider/1',
  'googlechromes://example.com',
  'itms-services://?action=download-manifest&url=https://example.com/a.plist',
];

/** Texts that the URL parser reads as a different URL. */
const READ_OTHERWISE = [
  'https:///x',
  'https:////x',
  'https:/evil.example/',
  'https:evil.example/',
  'https:e.com/x',
  'https:\\\\evil.example/',
  'https:/\\evil.example/',
  'https://good.example\\@evil.example/',
  'https://good.example/a\\b',
  ' https://evil.example/',
  'https://evil.example/ ',
  'https://a..b/',
  'https://.evil.example/',
  'https://evil.example../',
  'https://@evil.example/',
  'https://:@evil.example/',
  'https://a@b@evil.example/',
  'https://%65vil.example/',
  'https://evil.example%2e/',
  'https://ev\u200bil.example/',
  'https://ev\u00adil.example/',
  'https://b\u00fc\u00adcher.example/',
  'https://1.2.3/',
  'https://2130706433/',
  'https://0x7f.1/',
  'https://0177.0.0.1:8080/',
  'https://user:pw@0x7f.1/',
];

const OBFUSCATED = [
  'java\tscript:alert(1)',
  'java\nscript:alert(1)',
  'java\r\nscript:alert(1)',
  '\u0001javascript:alert(1)',
  'https://example.com/\u0000',
  'https://example.com/\r\nSet-Cookie: a=b',
  'https://example.com/\u007f',
  'https://example.com/\u0085',
  'https://exa\tmple.com/',
  'app://x\ud800',
];

const NO_URL = [
  '',
  'example.com',
  '/path',
  '//example.com',
  'https://',
  'https:///',
  'http://',
  'https://exa mple.com',
  'https://[::1',
  'https://a.example:99999',
  'a b:c',
  ':x',
  'https://%00/',
];

t.test('dangerous schemes are refused in every slot, in any spelling', async (t) => {
  for (const slot of DESTINATION_SLOTS)
    for (const text of [...DANGEROUS, ...OBFUSCATED, ...NO_URL, ...READ_OTHERWISE]) {
      const outcome = storedDestination(text, slot, null);
      t.equal(outcome.kind, 'refused', JSON.stringify(text));
    }
});

t.test('each kind of fault has its code', async (t) => {
  for (const [text, code] of [
    ['javascript:alert(1)', 'scheme_not_allowed'],
    ['java\tscript:alert(1)', 'control_character'],
    ['intent://x', 'scheme_not_allowed'],
    ['example.com', 'invalid_url'],
    ['app:a b', 'invalid_url'],
    ['https:///x', 'invalid_url'],
    ['https://a..b', 'invalid_url'],
  ] as const)
    t.match(storedDestination(text, 'ios', null), { kind: 'refused', code }, text);
});

t.test('custom schemes are allowed for ios and android alone', async (t) => {
  for (const slot of DESTINATION_SLOTS)
    for (const text of ['myapp://open/1', 'my-app+x.1:open', 'itms-apps://apps.apple.com/app/id1', 'market://details?id=a'])
      t.equal(storedDestination(text, slot, null).kind, slot === 'ios' || slot === 'android' ? 'ok' : 'refused', `${slot} ${text}`);
});

t.test('URLs are stored in the serialised form of the URL standard', async (t) => {
  for (const [text, url] of [
    ['https://example.com', 'https://example.com/'],
    ['HTTPS://EXAMPLE.COM:443/A', 'https://example.com/A'],
    ['http://bücher.example/ü?ü#ü', 'http://xn--bcher-kva.example/%C3%BC?%C3%BC#%C3%BC'],
    ['https://example.com/a/../b', 'https://example.com/b'],
    ['https://127.0.0.1:8080/', 'https://127.0.0.1:8080/'],
    ['https://[0:0:0:0:0:0:0:1]:8443/', 'https://[::1]:8443/'],
    ['https://example.com./', 'https://example.com./'],
    ['https://B\u00dcCHER.example', 'https://xn--bcher-kva.example/'],
    ['https://bu\u0308cher.example', 'https://xn--bcher-kva.example/'],
    ['https://fa\u00df.example', 'https://xn--fa-hia.example/'],
    ['https://\u03a3\u0391\u03a3.example', 'https://xn--mxa9ab.example/'],
    ['https://\u0130i.example', 'https://xn--ii-rub.example/'],
    ['https://\u0646\u0627\u0645\u0647\u200c\u0627\u06cc.example', 'https://xn--mgba3gch31f060k.example/'],
    ['https://\u0e19\u0e49\u0e33.example', 'https://xn--q3c4c8cq.example/'],
    ['https://\u4f8b\u3048\u3002jp', 'https://xn--r8jz45g.jp/'],
    ['https://xn--bcher-kva.EXAMPLE', 'https://xn--bcher-kva.example/'],
    ['https://user:pw@example.com', 'https://user:pw@example.com/'],
  ] as const)
    t.same(storedDestination(text, 'web', null), { kind: 'ok', url });
});

t.test('a stored URL is printable ASCII of limited length, and is stored unchanged a second time', async () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...DESTINATION_SLOTS),
      fc.oneof(
        fc.webUrl({ withFragments: true, withQueryParameters: true }),
        fc.string({ unit: 'binary' }),
        fc.string({ unit: 'grapheme' }).map((text) => `https://example.com/${text}`),
      ),
      (slot, text) => {
        const outcome = storedDestination(text, slot, null);
        if (outcome.kind === 'refused') return true;
        const again = storedDestination(outcome.url, slot, null);
        return /^[\x21-\x7e]{1,8192}$/.test(outcome.url) && again.kind === 'ok' && again.url === outcome.url;
      },
    ),
    { numRuns: 5_000 },
  );
});

t.test('a destination may have 2,048 characters as written, and 8,192 when escaped', async (t) => {
  const written = (length: number, letter: string) => `https://example.com/${letter.repeat(length - 20)}`;
  t.match(storedDestination(written(2048, 'a'), 'web', null), { kind: 'ok' });
  t.match(storedDestination(written(1300, 'ü'), 'web', null), { kind: 'ok' });
  t.match(storedDestination(written(2049, 'a'), 'web', null), { kind: 'refused', code: 'too_long' });
  t.match(storedDestination(written(2048, '例'), 'web', null), { kind: 'refused', code: 'too_long' });
  const { href } = new URL(written(1300, 'ü'));
  t.same(storedDestination(href, 'web', null), { kind: 'ok', url: href }, 'it is as long in the form in which it is stored');
});

t.test('a custom scheme must belong to an app of the environment on that platform, or to the store', async (t) => {
  const own: OwnSchemes = { ios: ['Shop'], android: [] };
  for (const [slot, text, kind] of [
    ['ios', 'shop://open/1', 'ok'],
    ['ios', 'SHOP:open', 'ok'],
    ['ios', 'other://open', 'refused'],
    ['android', 'shop://open/1', 'refused'],
    ['ios', 'itms-apps://apps.apple.com/app/id1', 'ok'],
    ['ios', 'market://details?id=a', 'refused'],
    ['android', 'market://details?id=a', 'ok'],
    ['ios', 'https://example.com/', 'ok'],
  ] as const)
    t.equal(storedDestination(text, slot, own).kind, kind, `${slot} ${text}`);
  t.match(storedDestination('other:x', 'android', own), { code: 'scheme_not_allowed', detail: /"other".*none of them/ });
  t.match(storedDestination('other:x', 'ios', own), { code: 'scheme_not_allowed', detail: /"other".*Shop|shop/ });
});

t.test('a pattern is stored like a destination, with its placeholders in place', async (t) => {
  const stored = (text: string) => storedPattern(text, ['{id}', '{type}'], 'web', null);
  t.same(stored('HTTPS://Bücher.example/ä/{id}?x={type}&y={id}'), {
    kind: 'ok',
    url: 'https://xn--bcher-kva.example/%C3%A4/{id}?x={type}&y={id}',
  });
  t.same(stored('https://example.com/placeholder-0-/{id}.html'), { kind: 'ok', url: 'https://example.com/placeholder-0-/{id}.html' });
  for (const text of ['https://example.com/{id}/../x', 'https://example.com/{id}/%2e%2e'])
    t.match(stored(text), { kind: 'refused', code: 'misplaced_placeholder' }, text);
  for (const text of READ_OTHERWISE) t.equal(stored(`${text}{id}`).kind === 'ok' && stored(text).kind === 'ok', false, text);
});

t.test('the length of a pattern counts as it is written, with its placeholders', async (t) => {
  const stored = (text: string) => storedPattern(text, ['{id}', '{type}'], 'web', null);
  for (const placeholders of ['{id}', '{type}{id}', '{id}'.repeat(100)]) {
    const longest = `https://example.com/${placeholders}`.padEnd(2048, 'x');
    t.same(stored(longest), { kind: 'ok', url: longest }, `2,048 characters with ${placeholders.slice(0, 12)}`);
    t.match(stored(`${longest}x`), { kind: 'refused', code: 'too_long' }, `2,049 characters with ${placeholders.slice(0, 12)}`);
  }
  const escaped = (count: number) => stored(`https://example.com/{id}${'\u20ac'.repeat(count)}`);
  t.equal(escaped(907).kind, 'ok', 'its URL has 8,187 characters');
  t.match(escaped(908), { kind: 'refused', code: 'too_long', detail: /when escaped/ });
});

/** Scheme, authority, path, query and fragment by the regular expression of RFC 3986, appendix B, which takes no account of browsers. */
const RFC_3986 = /^(([^:/?#]+):)?(\/\/([^/?#]*))?([^?#]*)(\?([^#]*))?(#(.*))?$/s;

t.test('a stored URL has the scheme and host that a plain reading of the text gives', async () => {
  const piece = fc.constantFrom(
    'https:',
    'http:',
    '/',
    '//',
    '\\',
    '@',
    ':',
    '.',
    'a',
    'evil.example',
    'B.example',
    ' ',
    '%65',
    'ü',
    ':80',
    '?',
    '#',
    '[::1]',
    '0x7f.1',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 9 }), (pieces) => {
      const text = pieces.join('');
      const outcome = storedDestination(text, 'web', null);
      if (outcome.kind === 'refused') return true;
      const [, , scheme = '', , authority = ''] = RFC_3986.exec(text) as RegExpExecArray;
      const host = authority.slice(authority.indexOf('@') + 1).replace(/:\d*$/, '');
      const stored = new URL(outcome.url);
      return stored.protocol === `${scheme.toLowerCase()}:` && stored.hostname === new URL(`http://${host}/`).hostname;
    }),
    { numRuns: 20_000 },
  );
});

t.test('a text that only lacks a scheme is refused with the URL to write instead', async (t) => {
  const none: OwnSchemes = { ios: [], android: [] };
  for (const text of [
    'shop.example.com',
    'shop.example.com/x',
    'SHOP.example.com:8080/x?y#z',
    'm\u00fcller.de/\u00e4',
    'xn--mller-kva.de',
    'a.b.c.example?x',
    'shop.example.com/a b',
  ])
    for (const slot of DESTINATION_SLOTS)
      t.match(
        storedDestination(text, slot, none),
        { kind: 'refused', code: 'invalid_url', detail: `A destination must begin with its scheme: write https://${text}.` },
        `${text} for ${slot}`,
      );
  for (const text of ['shop', 'shop/x', '/x', '1.2.3.4/x', 'a..example/x', 'a.example:port/x', `a.example/${'x'.repeat(2049)}`]) {
    const outcome = storedDestination(text, 'web', none);
    t.ok(outcome.kind === 'refused' && !outcome.detail.includes('must begin with its scheme'), text.slice(0, 40));
  }
  t.match(storedPattern('shop.example.com/{id}/{type}', ['{id}', '{type}'], 'web', null), {
    detail: 'A destination must begin with its scheme: write https://shop.example.com/{id}/{type}.',
  });
  t.same(
    storedDestination('com.example.shop:open', 'ios', { ios: ['com.example.shop'], android: [] }),
    { kind: 'ok', url: 'com.example.shop:open' },
    "an app's own scheme may look like a host",
  );
});
