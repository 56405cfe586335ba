import t from 'tap';
import { withoutQrMark, withQrMark } from '../../../shared/resolve/qr-mark.js';
import fc from '../../support/properties.js';

t.test('only the QR code mark is removed from a query', (t) => {
  for (const [query, rest] of [
    ['qr=1', ''],
    ['a=1&qr=1', 'a=1'],
    ['qr=1&a=1', 'a=1'],
    ['a=1&qr=1&b=2&qr=1', 'a=1&b=2'],
    ['qr=2', 'qr=2'],
    ['qr=12', 'qr=12'],
    ['xqr=1', 'xqr=1'],
    ['a=qr=1', 'a=qr=1'],
    ['qr%3D1', 'qr%3D1'],
    ['', ''],
  ] as const)
    t.equal(withoutQrMark(query), rest, query);
  const piece = fc.string({ unit: fc.constantFrom('q', 'r', '=', '1', 'a', '%'), maxLength: 5 });
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      t.equal(withoutQrMark(pieces.join('&')), pieces.filter((text) => text !== 'qr=1').join('&'));
    }),
  );
  t.end();
});

t.test('a QR code contains the URL of the link with the mark', (t) => {
  const url = new URL(withQrMark('https://go.example.com/sale'));
  t.equal(url.pathname, '/sale');
  t.equal(withoutQrMark(url.search.slice(1)), '');
  t.end();
});
