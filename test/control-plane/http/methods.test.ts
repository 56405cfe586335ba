import t from 'tap';
import { allowedMethods, routePatterns, shadowedMethods } from '../../../control-plane/http/methods.js';

const patterns = routePatterns([
  { method: 'GET', path: '/v1/links' },
  { method: 'POST', path: '/v1/links' },
  { method: 'POST', path: '/v1/links/bulk' },
  { method: 'GET', path: '/v1/links/{link}' },
  { method: 'DELETE', path: '/v1/links/{link}' },
  { method: 'GET', path: '/v1/links/{link}/qr' },
]);

t.test('a path allows the methods of its routes, HEAD with GET, and OPTIONS', async (t) => {
  for (const [url, methods] of [
    ['/v1/links', ['GET', 'POST', 'HEAD', 'OPTIONS']],
    ['/v1/links?limit=1', ['GET', 'POST', 'HEAD', 'OPTIONS']],
    ['/v1/links/x', ['GET', 'DELETE', 'HEAD', 'OPTIONS']],
    ['/v1/links/bulk', ['POST', 'OPTIONS']],
    ['/v1/links/bulk/qr', ['GET', 'HEAD', 'OPTIONS']],
    ['/v1/links/', null],
    ['/v1/links/x/y', null],
    ['/links', null],
  ] as const)
    t.same(allowedMethods(patterns, url), methods, url);
});

t.test('methods that a literal path lacks are not taken from the route with a parameter', async (t) => {
  t.same(
    shadowedMethods(patterns).map(({ method, segments }) => `${method} ${segments.join('/')}`),
    ['GET /v1/links/bulk', 'DELETE /v1/links/bulk'],
  );
});
