import t from 'tap';
import { originOf } from '../../../shared/resolve/link-origin.js';

t.test('the default port of the scheme is left out, and so is port 0', async (t) => {
  for (const [scheme, port, origin] of [
    ['https', 0, 'https://go.example.com'],
    ['https', 443, 'https://go.example.com'],
    ['https', 80, 'https://go.example.com:80'],
    ['http', 80, 'http://go.example.com'],
    ['http', 443, 'http://go.example.com:443'],
    ['http', 8080, 'http://go.example.com:8080'],
  ] as const)
    t.equal(originOf({ scheme, port }, 'go.example.com'), origin);
});
