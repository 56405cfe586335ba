import t from 'tap';
import { formatInstant, parseInstant } from '../../../shared/base/instant.js';
import fc from '../../support/properties.js';

t.test('ISO 8601 with any offset is accepted', async (t) => {
  for (const [text, utc] of [
    ['2026-11-20T08:09:10Z', '2026-11-20T08:09:10.000Z'],
    ['2026-11-20t08:09:10z', '2026-11-20T08:09:10.000Z'],
    ['2026-11-20T08:09Z', '2026-11-20T08:09:00.000Z'],
    ['2026-11-20T08:09:10.1Z', '2026-11-20T08:09:10.100Z'],
    ['2026-11-20T08:09:10,123999Z', '2026-11-20T08:09:10.123Z'],
    ['2026-11-20T08:09:10+05:30', '2026-11-20T02:39:10.000Z'],
    ['2026-11-20T08:09:10-0330', '2026-11-20T11:39:10.000Z'],
    ['2026-11-20T08:09:10+14', '2026-11-19T18:09:10.000Z'],
    ['2024-02-29T23:59:59.999-00:00', '2024-02-29T23:59:59.999Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ] as const)
    t.equal(formatInstant(parseInstant(text) as number), utc, text);
});

t.test('text that is not a moment in time is refused', async (t) => {
  for (const text of [
    '',
    'now',
    '2026-11-20',
    '2026-11-20T08:09:10',
    '2026-11-20 08:09:10Z',
    '2026-13-01T00:00:00Z',
    '2026-02-29T00:00:00Z',
    '2026-00-01T00:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T00:60:00Z',
    '2026-01-01T00:00:61Z',
    '2026-01-01T00:00:00+24:00',
    '2026-01-01T00:00:00+1',
    '+002026-01-01T00:00:00Z',
    '2026-01-01T00:00:00Z ',
    ' 2026-01-01T00:00:00Z',
    '2026-01-01T00:00:00Z\n',
    '10000-01-01T00:00:00Z',
    '9999-12-31T23:59:59-01:00',
    '0000-01-01T00:00:00+01:00',
    '0000-12-31T23:59:59.999Z',
    '0001-01-01T00:00:00+00:01',
    '1700000000',
  ])
    t.equal(parseInstant(text), null, JSON.stringify(text));
});

t.test('a formatted instant is parsed as the same instant', async () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true }),
      (date) => parseInstant(formatInstant(date.getTime())) === date.getTime(),
    ),
  );
});
