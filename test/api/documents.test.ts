import t from 'tap';
import { startApiServer } from './api-server.js';

t.test('the address of the server leads to the dashboard, whose files need no key', async (t) => {
  const api = await startApiServer(t);
  const root = new URL('/', api.baseUrl);
  const start = await fetch(root, { redirect: 'manual' });
  t.equal(start.status, 302);
  t.equal(new URL(start.headers.get('location') ?? '', root).pathname, '/dashboard/');
  const page = await fetch(root);
  t.equal(page.status, 200);
  t.match(page.headers.get('content-type'), 'text/html');
  const policy = page.headers.get('content-security-policy') ?? '';
  t.match(policy, /default-src 'none'.*script-src 'self'.*connect-src 'self'/);
  t.notMatch(policy, /unsafe|\*/);
  const refused = await fetch(root, { method: 'POST' });
  t.same([refused.status, refused.headers.get('allow')], [405, 'GET, HEAD, OPTIONS']);
});
