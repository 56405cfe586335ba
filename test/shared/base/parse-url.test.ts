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
