import t from 'tap';
import { parseDay, parseSpan } from '../../../control-plane/cli/times.js';

const NOW = Date.parse('2026-11-29T10:00:00Z');
const span = (from: string, to: string) => {
  const { from: start, to: end } = parseSpan({ from, to }, NOW);
  return `${start.toISOString()} ${end.toISOString()}`;
};

t.test('a span has its last day, and instants are read in any time zone', async (t) => {
  t.equal(span('2026-11-01', '2026-11-02'), '2026-11-01T00:00:00.000Z 2026-11-03T00:00:00.000Z');
  t.equal(span('2026-11-01T00:00:00+01:00', '2026-11-01T09:30:00Z'), '2026-10-31T23:00:00.000Z 2026-11-01T09:30:00.000Z');
});

t.test('a span ends a day from now and begins in 1970 at the earliest, because commands work day by day', async (t) => {
  t.equal(span('2026-11-01', '9999-12-31'), '2026-11-01T00:00:00.000Z 2026-11-30T10:00:00.000Z');
  t.equal(span('0001-01-01', '2026-11-01'), '1970-01-01T00:00:00.000Z 2026-11-02T00:00:00.000Z');
  t.equal(span('2030-01-01', '2030-12-31'), '2026-11-30T10:00:00.000Z 2026-11-30T10:00:00.000Z', 'nothing is left of the future');
  t.equal(span('1910-01-01', '1910-12-31'), '1970-01-01T00:00:00.000Z 1970-01-01T00:00:00.000Z', 'nor of the past');
});

t.test('what is not a time, or ends before it begins, is a wrong command line', async (t) => {
  for (const [from, to] of [
    ['2026-13-01', '2026-11-02'],
    ['2026-11-01', 'tomorrow'],
    ['2026-11-02', '2026-11-01'],
  ] as const)
    t.throws(() => span(from, to), { name: 'CommandError', exitCode: 2 });
  t.equal(parseDay('--day', '2026-11-01'), '2026-11-01');
  t.throws(() => parseDay('--day', '2026-11-31'), { name: 'CommandError', exitCode: 2 });
});
