import t from 'tap';
import { destinationQuery } from '../../../../engine/shipping/rows/destination-query.js';

t.test('the query of a destination is found only if it has a UTM parameter', async (t) => {
  const table: [string, string | null][] = [
    ['https://example.com/?utm_source=x', 'utm_source=x'],
    ['https://example.com/?a=1&utm_source=x#part', 'a=1&utm_source=x#part'],
    ['https://example.com/?a=1', null],
    ['https://example.com/utm_source=x', null],
    ['https://example.com/#?utm_source=x', null],
    ['https://example.com/?a=1#utm_source=x', null],
    ['https://example.com/?utm', null],
    ['', null],
  ];
  for (const [destination, query] of table) {
    const source = Buffer.from(`<${destination}?utm_after=1`);
    const found = destinationQuery(source, 1, 1 + Buffer.byteLength(destination));
    t.equal(found === -1 ? null : source.toString('utf8', found, 1 + Buffer.byteLength(destination)), query, destination);
  }
});
