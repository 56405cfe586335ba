import t from 'tap';
import { NO_DESTINATIONS } from '../../../shared/records/records.js';
import { destinationWarnings, SUSPICION_REASONS, suspicionReasons } from '../../../shared/resolve/destination-check.js';
import { isMixedScript } from '../../../shared/resolve/mixed-script.js';
import fc from '../../support/properties.js';

t.test('each reason is given for exactly what it describes', async (t) => {
  const table: [string, string[]][] = [
    ['https://shop.example/p/1?next=2', []],
    ['https://shop.example:443/', []],
    ['shop://item/1', []],
    ['not a url', []],
    ['https://apps.apple.com/app/id1', []],
    ['https://192.0.2.1/', ['ip_host']],
    ['https://[2001:db8::1]/', ['ip_host']],
    ['https://3221225985/', ['ip_host']],
    ['https://0xc0.0.2.1/', ['ip_host']],
    ['https://192.0.2.1./', ['ip_host']],
    ['https://1.2.3.4.example/', []],
    ['https://xn--bcher-kva.example/', ['punycode_host']],
    ['https://sub.bücher.example/', ['punycode_host']],
    ['https://notxn--x.example/', []],
    ['https://pаypal.example/', ['punycode_host', 'mixed_script_host']],
    ['https://xn--pypal-4ve.example/', ['punycode_host', 'mixed_script_host']],
    ['https://日本語とカタカナabc.example/', ['punycode_host']],
    ['https://user@shop.example/', ['credentials_in_url']],
    ['https://:pass@shop.example/', ['credentials_in_url']],
    ['https://shop.example/@user', []],
    ['https://shop.example:8443/', ['unusual_port']],
    ['https://shop.example:80/', ['unusual_port']],
    ['http://shop.example:80/', ['insecure_http']],
    ['http://shop.example:443/', ['unusual_port', 'insecure_http']],
    ['https://bit.ly/x', ['url_shortener']],
    ['https://BIT.LY./x', ['url_shortener']],
    ['https://go.app.link/x', ['url_shortener']],
    ['https://rabbit.ly/x', []],
    ['https://shop.example/bit.ly', []],
    ['https://shop.example/?url=https://evil.example/', ['open_redirect_parameter']],
    ['https://shop.example/?a=1&Return_To=%2F%2Fevil.example', ['open_redirect_parameter']],
    ['https://shop.example/?next=%5C%5Cevil.example', ['open_redirect_parameter']],
    ['https://shop.example/?next=/cart', []],
    ['https://shop.example/?next=https://www.shop.example/cart', []],
    ['https://shop.example/?page=https://evil.example/', []],
    ['https://a.co.uk/?url=https://b.co.uk/', ['open_redirect_parameter']],
    ['https://a.github.io/?url=https://b.github.io/', ['open_redirect_parameter']],
    ['https://shop.example/?url=https://', []],
    ['https://shop.example/app.apk', ['executable_download']],
    ['https://shop.example/a.b.EXE?x=1#y', ['executable_download']],
    ['https://shop.example/exe', []],
    ['https://shop.example/a.exe/', []],
    ['https://shop.example/?f=a.exe', []],
    ['https://shop.example/sites/other.com', []],
    ['https://shop.example/{type}/{id}', []],
    [
      'http://u:p@xn--pypal-4ve.bit.ly:81/x.exe?url=//evil.example',
      [
        'punycode_host',
        'mixed_script_host',
        'credentials_in_url',
        'unusual_port',
        'insecure_http',
        'url_shortener',
        'open_redirect_parameter',
        'executable_download',
      ],
    ],
  ];
  for (const [url, wanted] of table) t.same(suspicionReasons(url), wanted, url);
  const seen = new Set(table.flatMap(([, reasons]) => reasons));
  t.same([...seen].sort(), Object.keys(SUSPICION_REASONS).sort(), 'every reason has its rows');
});

t.test('a label is mixed if no writing system has all its letters', async (t) => {
  const table: [string, boolean][] = [
    ['shop', false],
    ['shop-24', false],
    ['почта', false],
    ['почта24', false],
    ['πίτα', false],
    ['раypal', true],
    ['αlpha', true],
    ['日本語', false],
    ['日本語かな', false],
    ['ひらがなカタカナー', false],
    ['漢字abc', false],
    ['漢字ㄅㄆabc', false],
    ['한국어漢字abc', false],
    ['ひらがな한국어', true],
    ['漢字ж', true],
    ['abcひらж', true],
    ['हिन्दी', false],
    ['ᏣᎳᎩ', false],
    ['aᏣ', true],
    ['', false],
  ];
  for (const [label, wanted] of table) t.equal(isMixedScript(label), wanted, label);
});

t.test('warnings name each suspicious destination by its pointer', async (t) => {
  t.same(destinationWarnings({ ...NO_DESTINATIONS, web: 'http://shop.example/', desktop: 'https://shop.example/' }, '/redirects'), [
    { code: 'destination_suspicious', pointer: '/redirects/web', detail: SUSPICION_REASONS.insecure_http, reasons: ['insecure_http'] },
  ]);
  t.same(destinationWarnings(NO_DESTINATIONS, '/redirects'), []);
});

t.test('any text can be judged without an error', async () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.webUrl({ withQueryParameters: true, withFragments: true })), (text) =>
      Array.isArray(suspicionReasons(text)),
    ),
    {
      numRuns: 3000,
    },
  );
});
