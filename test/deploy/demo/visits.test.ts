import t from 'tap';
import { DAYS, makeVisits, totalsOf, type Visit } from '../../../deploy/demo/visits.js';
import { isProgram } from '../../../shared/resolve/bots.js';

/** mulberry32, which yields the same numbers in every run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const NOON = Date.parse('2026-11-24T12:00:00Z');
const MIDNIGHT = Date.parse('2026-11-24T00:00:10Z');

t.test('visits are in order, within the last 30 days and never in the future, at noon and just after midnight', async (t) => {
  for (const nowMs of [NOON, MIDNIGHT]) {
    const visits = makeVisits(5000, [3, 1], nowMs, seeded(1));
    t.equal(visits.length, 5000);
    const times = visits.map(({ at_ms }) => at_ms);
    t.same(
      times,
      times.toSorted((a, b) => a - b),
    );
    const first = Math.floor(nowMs / 86_400_000) - DAYS + 1;
    t.ok(times.every((at) => Math.floor(at / 86_400_000) >= first - 1 && at < nowMs));
  }
});

t.test('evenings have more visits than nights, Fridays more than Sundays, and a small share are bots', async (t) => {
  const visits = makeVisits(20_000, [3, 1], NOON, seeded(2));
  const count = (is: (visit: Visit) => boolean) => visits.filter(is).length;
  const hour = (wanted: number) => count(({ at_ms }) => new Date(at_ms).getUTCHours() === wanted);
  t.ok(hour(20) > 4 * hour(3));
  const weekday = (wanted: number) => count(({ at_ms }) => new Date(at_ms).getUTCDay() === wanted);
  t.ok(weekday(5) > weekday(0));
  const bots = count(({ bot }) => bot);
  t.ok(bots > 600 && bots < 2000, String(bots));
  t.ok(visits.every(({ bot, user_agent }) => bot === isProgram(user_agent)));
  t.ok(count(({ link }) => link === 0) > 2 * count(({ link }) => link === 1));
});

t.test('a visitor is counted once a day', async (t) => {
  const visit = (at: string, address: string, bot = false) => ({ at_ms: Date.parse(at), address, user_agent: 'a', bot }) as Visit;
  t.same(
    totalsOf([
      visit('2026-11-01T00:00:00Z', '198.18.0.1'),
      visit('2026-11-01T23:59:59Z', '198.18.0.1'),
      visit('2026-11-02T00:00:00Z', '198.18.0.1'),
      visit('2026-11-02T00:00:00Z', '198.18.0.2'),
      visit('2026-11-02T00:00:00Z', '198.18.0.3', true),
    ]),
    { clicks: 5, human_clicks: 4, unique_visitors: 3 },
  );
});
