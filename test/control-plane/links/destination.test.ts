import t from 'tap';
import { normaliseDestination } from '../../../control-plane/links/destination.js';
import { DESTINATION_SLOTS } from '../../../shared/feed/records.js';
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

t.test('dangerous schemes are refused in every slot, however they are written', async (t) => {
  for (const slot of DESTINATION_SLOTS)
    for (const text of [...DANGEROUS, ...OBFUSCATED, ...NO_URL]) {
      const outcome = normaliseDestination(slot, text);
      t.equal(outcome.kind, 'refused', JSON.stringify(text));
    }
});

t.test('what is wrong has its code', async (t) => {
  for (const [text, code] of [
    ['javascript:alert(1)', 'scheme_not_allowed'],
    ['java\tscript:alert(1)', 'control_character'],
    ['intent://x', 'scheme_not_allowed'],
    ['example.com', 'invalid_url'],
    ['app:a b', 'invalid_url'],
    [`https://example.com/${'ü'.repeat(500)}`, 'too_long'],
  ] as const)
    t.match(normaliseDestination('ios', text), { kind: 'refused', code }, text);
});

t.test('custom schemes are for ios and android alone', async (t) => {
  for (const slot of DESTINATION_SLOTS)
    for (const text of ['myapp://open/1', 'my-app+x.1:open', 'itms-apps://apps.apple.com/app/id1', 'market://details?id=a'])
      t.equal(normaliseDestination(slot, text).kind, slot === 'ios' || slot === 'android' ? 'ok' : 'refused', `${slot} ${text}`);
});

t.test('URLs are stored in the serialised form of the URL standard', async (t) => {
  for (const [text, url] of [
    ['https://example.com', 'https://example.com/'],
    ['HTTPS://EXAMPLE.COM:443/A', 'https://example.com/A'],
    ['https://example.com\\@evil.example', 'https://example.com/@evil.example'],
    ['http://bücher.example/ü?ü#ü', 'http://xn--bcher-kva.example/%C3%BC?%C3%BC#%C3%BC'],
    ['https://example.com/a/../b', 'https://example.com/b'],
    ['https://0x7f.1/', 'https://127.0.0.1/'],
  ] as const)
    t.same(normaliseDestination('web', text), { kind: 'ok', url });
});

t.test('whatever is stored is printable ASCII, bounded, and stays what it is', async () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...DESTINATION_SLOTS),
      fc.oneof(
        fc.webUrl({ withFragments: true, withQueryParameters: true }),
        fc.string({ unit: 'binary' }),
        fc.string({ unit: 'grapheme' }).map((text) => `https://example.com/${text}`),
      ),
      (slot, text) => {
        const outcome = normaliseDestination(slot, text);
        if (outcome.kind === 'refused') return true;
        const again = normaliseDestination(slot, outcome.url);
        return /^[\x21-\x7e]{1,2048}$/.test(outcome.url) && again.kind === 'ok' && again.url === outcome.url;
      },
    ),
    { numRuns: 5_000 },
  );
});
