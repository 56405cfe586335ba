import t from 'tap';
import { asciiHostName, isHostField, isHostName, withAsciiNames } from '../../../shared/net/host-name.js';

t.test('international names in a text become ASCII, and nothing else changes', async (t) => {
  t.equal(withAsciiNames('https://www.müller.de/x?y=z'), 'https://www.xn--mller-kva.de/x?y=z');
  t.equal(withAsciiNames('Bücher'), 'xn--bcher-kva');
  for (const text of ['', 'a.b-c_d', 'xn--mller-kva', '100 %', '→']) t.equal(withAsciiNames(text), text);
});

t.test('a host name is compared in lower case and in ASCII, and text with more than a name is refused', async (t) => {
  for (const [text, ascii] of [
    ['Links.BÜCHER.de', 'links.xn--bcher-kva.de'],
    ['links.xn--bcher-kva.de', 'links.xn--bcher-kva.de'],
    ['faß.de', 'xn--fa-hia.de'],
    ['shop。example', 'shop.example'],
    ['xn--a', ''],
    ['shop.example:443', ''],
    ['shop.example/', ''],
    ['shop.example?', ''],
    ['user@shop.example', ''],
    ['shop.example\\', ''],
    ['shop example', ''],
    ['shop%2eexample', ''],
    ['[::1]', ''],
    ['', ''],
  ] as const)
    t.equal(asciiHostName(text), ascii, text);
});

t.test('a text that is longer than any host name is none, and is not converted', async (t) => {
  const letters = Array.from({ length: 20_000 }, (_, index) => String.fromCharCode(0x4e00 + ((index * 7919) % 20_000))).join('');
  const began = performance.now();
  for (const text of [letters, '例.'.repeat(20_000), 'a'.repeat(1_000)]) t.equal(asciiHostName(text), '');
  t.ok(performance.now() - began < 500);
});

t.test('labels are letters, digits and inner hyphens, of at most 63 characters each and 253 in all', async (t) => {
  const label = 'a'.repeat(63);
  for (const host of [
    'a',
    'go.shop.example',
    'x-y.example',
    'live.localhost',
    `${label}.example`,
    `${`${label}.`.repeat(3)}${'b'.repeat(61)}`,
  ])
    t.ok(isHostName(host), host.slice(0, 80));
  for (const host of [
    '',
    '.',
    'a..b',
    'a.',
    '.a',
    '-a.b',
    'a-.b',
    'a_b.c',
    'A.b',
    `${label}a.b`,
    `${`${label}.`.repeat(3)}${'b'.repeat(62)}`,
    '*.a',
  ])
    t.notOk(isHostName(host), host.slice(0, 80));
});

t.test('a Host header contains a name or an address, and optionally a port', async (t) => {
  for (const text of [
    'shop.example',
    'shop.example:8080',
    'shop.example:',
    'SHOP_1.example.',
    '127.0.0.1',
    '[2001:db8::1]:443',
    'a%20b',
    'a,b',
  ])
    t.ok(isHostField(text), text);
  for (const text of [
    '',
    '###',
    'a b',
    'a.example, b.example',
    'a.example/x',
    'me@a.example',
    'a.example:80a',
    'a:b:1',
    '[::1',
    'a?b',
    'bücher.de',
    'a\\b',
  ])
    t.notOk(isHostField(text), text);
});
