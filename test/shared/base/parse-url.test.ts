import t from 'tap';
import { parseUrl } from '../../../shared/base/parse-url.js';
import { coldVerdicts, urlSamples, verdicts, warmUp } from '../../support/url-judgements.js';

const CALLS = 20_000;

t.test('a URL is parsed as the standard says, also against a base, and text that is not a URL gives null', async (t) => {
  t.equal(parseUrl('https://m\u00fcller.de/\u00fc')?.href, 'https://xn--mller-kva.de/%C3%BC');
  t.equal(parseUrl('/b?c', 'https://example.com/a')?.href, 'https://example.com/b?c');
  for (const text of ['', 'example.com', 'https://', 'https://a b/', 'https://[::1/', 'https://1.2.3.4.5/'])
    t.equal(parseUrl(text), null, text);
  t.equal(parseUrl('/b', 'nowhere'), null);
});

t.test('a host name that is longer than any is refused at once, however it is written', async (t) => {
  const letters = Array.from({ length: 20_000 }, (_, index) => String.fromCharCode(0x4e00 + ((index * 7919) % 20_000))).join('');
  const began = performance.now();
  for (const scheme of ['https://', 'HTTP:', ' ht\ttps:/\\/', 'wss://', 'https://user@', 'https://a@b@', '\\\\'])
    for (const host of [letters, encodeURIComponent(letters), `xn--${'a'.repeat(20_000)}`])
      t.equal(parseUrl(`${scheme}${host}/x`, 'https://example.com/'), null, `${scheme}${host.slice(0, 20)}`);
  t.ok(performance.now() - began < 500);
  const name = `${'a'.repeat(63)}.${'b'.repeat(63)}.example`;
  for (const url of [
    `https://${name}/${'x'.repeat(5000)}`,
    `https://${'u'.repeat(600)}@${name}/`,
    `app:${'x'.repeat(600)}`,
    `https://e.com?${'ü'.repeat(600)}`,
  ])
    t.ok(parseUrl(url), url.slice(0, 20));
  t.equal(parseUrl('x'.repeat(600), 'https://example.com/')?.pathname.length, 601);
});

t.test('a URL with a non-ASCII letter is still parsed after thousands of calls', async (t) => {
  const text = 'https://m\u00fcller.de/';
  let refusedAt = -1;
  for (let call = 0; call < CALLS && refusedAt === -1; call++) if (parseUrl(text) === null) refusedAt = call;
  t.equal(refusedAt, -1);
});

t.test('every check of a URL gives the same result in a fresh process and after 20,000 calls', async (t) => {
  const urls = urlSamples(400);
  const cold = coldVerdicts(urls.length);
  warmUp(urls, CALLS);
  const warm = verdicts(urls);
  for (const [name, found] of Object.entries(cold)) t.strictSame(warm[name], found, name);
});
