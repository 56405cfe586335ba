import t from 'tap';
import { renderStatusPages } from '../../../../engine/http/pages/status-page.js';

t.test('every state has its status', async (t) => {
  const pages = renderStatusPages('Shop');
  t.same(Object.fromEntries(Object.entries(pages).map(([name, page]) => [name, Number.parseInt(page.status, 10)])), {
    not_found: 404,
    disabled: 404,
    expired: 410,
    deleted: 410,
    blocked: 403,
    method_not_allowed: 405,
    unavailable: 503,
    failed: 500,
    no_destination: 200,
  });
});

t.test('pages name the project, escaped, and hold no script', async (t) => {
  for (const [name, page] of Object.entries(renderStatusPages('<Shop>'))) {
    const html = Buffer.from(page.body).toString();
    t.match(html, '&#60;Shop&#62;', name);
    t.notMatch(html, /<script|<Shop>/, name);
    t.ok(page.body.byteLength < 4096, `${name} is small`);
  }
});

t.test('a host of nobody has pages without a name', async (t) => {
  const html = Buffer.from(renderStatusPages('').not_found.body).toString();
  t.match(html, '<title>Link not found</title>');
});
