import t from 'tap';
import { healthPage, startPageServer } from '../../../shared/base/page-server.js';

t.test('each page is served at its path and gets its query, and a failing status is answered 503', async (t) => {
  const pages = new Map([
    ['/ready', () => healthPage({ status: 'failing' })],
    ['/echo', (query: string) => ({ status: 200, type: 'text/plain', body: query })],
  ]);
  const server = await startPageServer(pages, '127.0.0.1', 0);
  t.teardown(() => server.stop());
  const get = (path: string, init = {}) => fetch(`http://127.0.0.1:${server.port}${path}`, init);
  t.equal((await get('/ready')).status, 503);
  t.equal(await (await get('/echo?a=b')).text(), 'a=b');
  t.match(await (await get('/other')).json(), { status: 404, title: /\/ready, \/echo/ });
  t.equal((await get('/echo', { method: 'POST' })).status, 405);
});
