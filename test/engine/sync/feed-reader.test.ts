import t from 'tap';
import { continuation, whyNotFollowed } from '../../../engine/sync/feed-reader.js';
import type { NumberedFeedRow } from '../../../engine/sync/sql.js';
import fc from '../../support/properties.js';

const cursor = (position: number, mark = position === 0 ? '' : `m${position}`, epoch = 'e') => ({ epoch, position, mark });
const row = (position: number, mark = `m${position}`): NumberedFeedRow => ({
  position,
  mark,
  kind: 'link',
  environment_id: 'env_1',
  environment_number: 1,
  object_id: `lnk_${position}`,
  object_key: `p${position}`,
  is_creation: false,
});
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => row(from + n));

t.test('a cursor can be followed within its epoch, between the pruned rows and the head', (t) => {
  const feed = (head: number, prunedPosition = 0) => ({ head: cursor(head), prunedPosition });
  t.equal(whyNotFollowed(cursor(5), feed(5)), null);
  t.equal(whyNotFollowed(cursor(0), feed(5)), null);
  t.equal(whyNotFollowed(cursor(5), feed(9, 5)), null);
  t.match(whyNotFollowed(cursor(5, 'm5', 'other'), feed(5)), /another one/);
  t.match(whyNotFollowed(cursor(6), feed(5)), /went back in time/);
  t.match(whyNotFollowed(cursor(4), feed(9, 5)), /no longer reaches back/);
  t.end();
});

t.test('every row comes once and in order, in batches of any size', (t) => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 1, max: 9 }), (head, limit) => {
      let at = cursor(0);
      const seen: number[] = [];
      for (;;) {
        const read = range(Math.max(1, at.position), head).slice(0, limit + 1);
        const reading = continuation(at, read);
        if (reading.kind === 'broken') return false;
        const last = reading.rows.at(-1);
        if (last === undefined) break;
        seen.push(...reading.rows.map((next) => next.position));
        at = { epoch: 'e', position: last.position, mark: last.mark };
      }
      return seen.length === head && seen.every((position, index) => position === index + 1);
    }),
  );
  t.end();
});

t.test('a missing row is always noticed', (t) => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 2, max: 30 }), fc.nat(), (position, length, hole) => {
      const rows = range(Math.max(1, position), position + length);
      const missing = position + 1 + (hole % (length - 1)); // never the last row: a shorter feed is not a hole
      const reading = continuation(
        cursor(position),
        rows.filter((next) => next.position !== missing),
      );
      return reading.kind === 'broken';
    }),
  );
  t.end();
});

t.test('the row at the cursor must be the one that was applied', (t) => {
  t.strictSame(continuation(cursor(3), [row(3), row(4)]), { kind: 'rows', rows: [row(4)] });
  t.strictSame(continuation(cursor(3), [row(3)]), { kind: 'rows', rows: [] });
  t.equal(continuation(cursor(3), [row(3, 'another'), row(4)]).kind, 'broken');
  t.equal(continuation(cursor(3), [row(4)]).kind, 'broken');
  t.equal(continuation(cursor(3), []).kind, 'broken');
  t.strictSame(
    continuation(cursor(3, ''), [row(4)]),
    { kind: 'rows', rows: [row(4)] },
    'there was no row to compare when the snapshot was made',
  );
  t.strictSame(continuation(cursor(0), []), { kind: 'rows', rows: [] });
  t.end();
});
