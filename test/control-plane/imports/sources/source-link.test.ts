import t from 'tap';
import { addressOf, withPaths } from '../../../../control-plane/imports/sources/source-link.js';
import { linkOfRow } from '../source-service.js';

t.test('an address is read as host and path, and one without a slash or a dot as a path on the source’s host', async (t) => {
  for (const [text, host, path] of [
    ['https://Bit.ly/a/b?c#d', 'bit.ly', 'a/b'],
    ['bit.ly/a', 'bit.ly', 'a'],
    ['bit.ly', 'bit.ly', ''],
    ['https://localhost', 'localhost', ''],
    ['localhost/a', 'localhost', 'a'],
    ['abc', 'own.example', 'abc'],
    ['https://acme.page.link/?link=x', 'acme.page.link', ''],
  ] as const)
    t.same(addressOf(text, 'own.example'), { host, path }, text);
  t.same(addressOf('abc'), { host: null, path: 'abc' });
});

t.test('a link whose only address has no path is refused, and such an address beside others is reported as lost', async (t) => {
  const link = { id: 'a', fields: {}, lost: ['title'] };
  const bare = { host: 'bit.ly', path: '' };
  t.match(withPaths({ ...link, addresses: [bare] }), { fault: 'bit.ly has no path' });
  t.match(withPaths({ ...link, addresses: [{ host: 'bit.ly', path: 'a' }, bare] }), {
    addresses: [{ path: 'a' }],
    lost: ['title', 'aliases'],
    fault: undefined,
  });
  t.match(withPaths({ ...link, addresses: [] }), { fault: undefined, lost: ['title'] }, 'a link without addresses is accepted');
});

t.test('a bare back-half is read as a path of Bitly’s or Dub’s host', async (t) => {
  t.match(linkOfRow('bitly', { bitlink: 'abc', 'long url': 'https://shop.example/' }), {
    id: 'bit.ly/abc',
    addresses: [{ host: 'bit.ly', path: 'abc' }],
  });
  const customs = 'spring, https://brand.example/, brand.example/x';
  t.match(linkOfRow('bitly', { bitlink: 'https://bit.ly/abc', 'custom bitlinks': customs }).addresses, [
    { path: 'abc' },
    { host: 'bit.ly', path: 'spring' },
    { host: 'brand.example', path: '' },
    { host: 'brand.example', path: 'x' },
  ]);
  t.match(linkOfRow('dub', { 'short link': 'abc', url: 'https://shop.example/' }).addresses, [{ host: 'dub.sh', path: 'abc' }]);
});
