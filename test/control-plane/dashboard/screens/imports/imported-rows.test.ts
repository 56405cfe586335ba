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
  const seen = new Map<string, ImportedRow>();
  const two = [row(1), row(2, { url: 'https://go.example.com/b' })];
  t.same(withoutDoubles(two, seen, 'fail'), two);
  const again = [row(7, { id: 'bit.ly/1' }), row(8, { id: 'bit.ly/2', outcome: 'exists' })];
  t.match(withoutDoubles(again, seen, 'fail'), [{ row: 7, outcome: 'failed', url: null, reason: /Row 1 / }, again[1]]);
  t.match(withoutDoubles(again, seen, 'skip'), [{ outcome: 'skipped' }, { outcome: 'exists' }]);
});

t.test('links of two hosts that would have one path are found across the calls of a dry run', async (t) => {
  const at = (number: number, url: string) => row(number, { id: `${number}.example/sale`, url });
  const again = (collision: 'fail' | 'skip' | 'alias', url: string) => {
    const seen = new Map<string, ImportedRow>();
    withoutDoubles([at(1, 'https://go.example.com/sale')], seen, collision);
    return withoutDoubles([at(501, url)], seen, collision)[0];
  };
  const same = 'https://go.example.com/sale';
  const other = 'https://other.example.com/sale';
  for (const url of [same, other]) {
    t.match(again('fail', url), { outcome: 'failed', url: null, reason: 'Row 1 of the file has the same path.' });
    t.match(again('skip', url), { outcome: 'skipped', reason: /same path/ });
  }
  t.match(again('alias', same), { outcome: 'failed', reason: /same path/ }, 'the alias would take the visits of the first link');
  t.match(again('alias', other), { outcome: 'aliased', url: null, reason: null });
  t.match(again('fail', 'https://go.example.com/Sale'), { outcome: 'created' });
  t.match(again('fail', 'https://go.example.com/spring'), { outcome: 'created' });
  const seen = new Map<string, ImportedRow>();
  withoutDoubles([{ ...at(1, same), outcome: 'failed', url: null }], seen, 'fail');
  t.match(withoutDoubles([at(501, same)], seen, 'fail'), [{ outcome: 'created' }], 'a link that fails takes no path');
});

t.test('the hosts of a file are those of its links and aliases', async (t) => {
  const rows = [['go.acme.example', 'bit.ly'], ['bit.ly'], []].map((hosts, at) => row(at, { hosts }));
  t.same(hostsOf(rows), ['bit.ly', 'go.acme.example']);
});
