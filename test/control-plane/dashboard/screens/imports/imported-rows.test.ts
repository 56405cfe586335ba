import t from 'tap';
import {
  hostsOf,
  LOST_FIELDS_MAX,
  NOTHING,
  PROBLEMS_SHOWN_MAX,
  tallied,
  withoutDoubles,
} from '../../../../../control-plane/dashboard/screens/imports/imported-rows.js';
import type { ImportedRow } from '../../../../../shared/contract/schemas/link-import.js';

const row = (number: number, more: Partial<ImportedRow> = {}): ImportedRow => ({
  row: number,
  id: `bit.ly/${number}`,
  hosts: ['bit.ly'],
  outcome: 'created',
  url: 'https://go.example.com/a',
  lost: [],
  reason: null,
  ...more,
});

t.test('rows are counted by outcome, and the first problems are kept', async (t) => {
  const first = tallied(NOTHING, [
    row(1),
    row(2, { outcome: 'failed', lost: ['colour'] }),
    row(3, { lost: ['colour', 'size'] }),
    row(4, { outcome: 'exists' }),
  ]);
  t.match(first, { done: 4, counts: { created: 2, failed: 1, exists: 1 }, withLosses: 1, lost: { colour: 1, size: 1 } });
  t.same(
    first.problems.map(({ row }) => row),
    [2],
  );
  const many = Array.from({ length: PROBLEMS_SHOWN_MAX }, (_, at) => row(5 + at, { outcome: 'skipped' }));
  const second = tallied(first, many);
  t.equal(second.done, 4 + PROBLEMS_SHOWN_MAX);
  t.equal(second.counts.skipped, PROBLEMS_SHOWN_MAX);
  t.equal(second.problems.length, PROBLEMS_SHOWN_MAX);
  const wild = Array.from({ length: LOST_FIELDS_MAX + 9 }, (_, at) => row(at, { lost: [`field ${at}`, 'colour'] }));
  t.equal(Object.keys(tallied(first, wild).lost).length, LOST_FIELDS_MAX);
  t.equal(tallied(first, wild).lost.colour, LOST_FIELDS_MAX + 10);
  t.same(NOTHING.counts.failed, 0, 'former counts are not changed');
});

t.test('an address that is in a file twice is found across the calls of a dry run', async (t) => {
  const seen = new Map<string, number>();
  t.same(withoutDoubles([row(1), row(2)], seen, 'fail'), [row(1), row(2)]);
  const again = [row(7, { id: 'bit.ly/1' }), row(8, { id: 'bit.ly/2', outcome: 'exists' })];
  t.match(withoutDoubles(again, seen, 'fail'), [{ row: 7, outcome: 'failed', url: null, reason: /Row 1 / }, again[1]]);
  t.match(withoutDoubles(again, seen, 'skip'), [{ outcome: 'skipped' }, { outcome: 'exists' }]);
});

t.test('the hosts of a file are those of its links and aliases', async (t) => {
  const rows = [['go.acme.example', 'bit.ly'], ['bit.ly'], []].map((hosts, at) => row(at, { hosts }));
  t.same(hostsOf(rows), ['bit.ly', 'go.acme.example']);
});
