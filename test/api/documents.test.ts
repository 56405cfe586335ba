import t from 'tap';
import { docsFiles } from '../../control-plane/http/docs.js';
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
  t.same([page.headers.get('referrer-policy'), page.headers.get('x-robots-tag')], ['no-referrer', 'noindex']);
  const refused = await fetch(root, { method: 'POST' });
  t.same([refused.status, refused.headers.get('allow')], [405, 'GET, HEAD, OPTIONS']);
});

t.test('the reference, its document, the guides and their files need no key, and lead to no other host', async (t) => {
  const api = await startApiServer(t);
  const { origin } = new URL(api.baseUrl);
  t.equal((await fetch(`${origin}/docs/`)).url, `${origin}/docs`, 'a slash at the end is no other page');
  const paths = [...docsFiles({}).keys()];
  t.ok(paths.length > 15);
  for (const path of paths) {
    const answer = await fetch(origin + path);
    const text = await answer.text();
    t.equal(answer.status, 200, path);
    t.match(answer.headers.get('content-type'), contentTypeOf(path), path);
    t.equal(answer.headers.get('cache-control'), path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache', path);
    t.equal(answer.headers.get('x-content-type-options'), 'nosniff');
    t.equal(answer.headers.get('referrer-policy'), 'no-referrer');
    const policy = answer.headers.get('content-security-policy') ?? '';
    t.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; .*connect-src 'self'/);
    t.notMatch(policy, /\*|https?:|unsafe-eval/, path);
    if (contentTypeOf(path) === 'text/html') t.notMatch(text, /(?:src|href)="(?:https?:)?\/\//, path);
    if (contentTypeOf(path) === 'text/css') t.notMatch(text, /@import|url\(/, path);
    const again = await fetch(origin + path, { headers: { 'if-none-match': answer.headers.get('etag') ?? '' } });
    t.equal(again.status, 304, path);
  }
});

t.test('what is not a file of the pages is 404, and no path leaves their folder', async (t) => {
  const api = await startApiServer(t);
  const { origin } = new URL(api.baseUrl);
  for (const path of ['/docs/x', '/docs/index.html', '/docs/guides', '/docs/guides/x', '/docs/assets', '/docs/assets/x.js'])
    t.equal((await fetch(origin + path)).status, 404, path);
  for (const path of ['/docs/%2e%2e/package.json', '/docs/..%2fpackage.json', '/docs/assets/..%5c..%5cpackage.json', '/docs/.fingerprint'])
    t.equal((await fetch(origin + path)).status, 404, path);
  const head = await fetch(`${origin}/docs`, { method: 'HEAD' });
  t.same([head.status, await head.text()], [200, '']);
  const posted = await fetch(`${origin}/docs/guides/webhooks`, { method: 'POST' });
  t.same([posted.status, posted.headers.get('allow')], [405, 'GET, HEAD, OPTIONS']);
});

function contentTypeOf(path: string): string {
  if (path.endsWith('.js')) return 'text/javascript';
  if (path.endsWith('.css')) return 'text/css';
  return path.endsWith('.json') ? 'application/json' : 'text/html';
}
