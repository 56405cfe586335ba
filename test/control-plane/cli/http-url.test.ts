import t from 'tap';
import { httpUrl } from '../../../control-plane/cli/http-url.js';

t.test('a URL is accepted if a request can be sent to it', async (t) => {
  for (const text of ['http://localhost:4242/hook', 'HTTPS://example.com', 'http://[::1]:80/?a=b'])
    t.equal(httpUrl(text)?.href, new URL(text).href, text);
  for (const text of [
    '',
    'http://',
    'https://a b',
    'ftp://example.com',
    'http:example.com',
    'localhost:4242',
    'http://me:secret@example.com',
  ])
    t.equal(httpUrl(text), null, text);
});
