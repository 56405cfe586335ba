import t from 'tap';
import { checkDays, checkDaysBefore } from '../../../control-plane/stats/query-days.js';

const NOW = Date.parse('2026-11-20T12:00:00Z');
/** The last day in UTC that has been dropped is 9 November. */
const KEPT_DAYS = 10;

function windowOf(from: string, timeZone: string) {
  const at = new Date(NOW);
  return { environment_number: 1, time_zone: timeZone, from, to: '2026-11-20', from_at: at, to_at: at };
}

for (const [timeZone, first, before] of [
  ['UTC', '2026-11-10', '2026-11-09'],
  ['America/New_York', '2026-11-10', '2026-11-09'],
  ['Pacific/Pago_Pago', '2026-11-10', '2026-11-09'],
  ['Europe/London', '2026-11-10', '2026-11-09'],
  ['Europe/Berlin', '2026-11-11', '2026-11-10'],
  ['Pacific/Kiritimati', '2026-11-11', '2026-11-10'],
] as const)
  t.test(`the first permitted day is the first that is kept in full: ${timeZone}`, async (t) => {
    const asked = (from: string) => ({ query: { from }, retentionDays: KEPT_DAYS, nowMs: NOW });
    t.doesNotThrow(() => checkDays(windowOf(first, timeZone), asked(first)));
    t.doesNotThrow(() => checkDaysBefore(windowOf(first, timeZone), asked(first)));
    const detail = new RegExp(`before ${first}: clicks are kept for 10 days`);
    t.throws(() => checkDays(windowOf(before, timeZone), asked(before)), { errors: [{ pointer: '/from', code: 'invalid_range', detail }] });
    t.throws(() => checkDaysBefore(windowOf(before, timeZone), asked(before)), { errors: [{ detail: /too early for `compare`/ }] });
  });
