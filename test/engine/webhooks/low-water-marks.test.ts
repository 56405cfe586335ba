import t from 'tap';
import { COMMIT_GRACE_MS, LowWaterMarks } from '../../../engine/webhooks/low-water-marks.js';
import type { QueuedEndpoint } from '../../../engine/webhooks/queue-scan.js';
import fc from '../../support/properties.js';

const NOW_MS = Date.UTC(2026, 10, 20);

function queued(webhook_id: string, dueAtMs: number, manual = false): QueuedEndpoint {
  return {
    webhook_id,
    manual,
    url: 'https://hooks.example.com/',
    status: 'active',
    abandoned: false,
    due_at: new Date(dueAtMs),
    wait_ms: dueAtMs - NOW_MS,
  };
}

function events(webhook_id: string) {
  return { webhook_id, manual: false };
}

t.test('the first scan is complete, and later ones start a little before the previous one, or where an endpoint still waits', async (t) => {
  const marks = new LowWaterMarks();
  t.same(marks.marks, { common: null, lower: new Map() });
  t.equal(marks.of(events('wh_a')), null);
  marks.raise(marks.marks, {
    scanned_at: new Date(NOW_MS),
    queued: [
      queued('wh_old', NOW_MS - 60_000),
      queued('wh_fresh', NOW_MS - 1),
      queued('wh_retry', NOW_MS + 60_000),
      queued('wh_fresh', NOW_MS - 9_000, true),
    ],
  });
  const common = new Date(NOW_MS - COMMIT_GRACE_MS);
  t.same(marks.marks, {
    common,
    lower: new Map([
      ['wh_old', new Date(NOW_MS - 60_000)],
      ['wh_fresh manual', new Date(NOW_MS - 9_000)],
    ]),
  });
  for (const id of ['wh_fresh', 'wh_retry', 'wh_quiet']) t.same(marks.of(events(id)), common);
  t.same(marks.of({ webhook_id: 'wh_fresh', manual: true }), new Date(NOW_MS - 9_000), 'replays have a mark of their own');
  marks.raise(marks.marks, { scanned_at: new Date(NOW_MS + 10), queued: [] });
  t.same(marks.of(events('wh_old')), new Date(NOW_MS + 10 - COMMIT_GRACE_MS));
});

t.test('a scan during which floors were lowered does not raise them again', async (t) => {
  const marks = new LowWaterMarks();
  marks.raise(marks.marks, { scanned_at: new Date(NOW_MS), queued: [] });
  const from = marks.marks;
  t.equal(marks.lowerTo({ scanned_at: new Date(NOW_MS), queued: [queued('wh_a', NOW_MS - 50_000)] }), true);
  marks.raise(from, { scanned_at: new Date(NOW_MS + 5), queued: [] });
  t.same(marks.of(events('wh_a')), new Date(NOW_MS - 50_000));
  t.equal(marks.lowerTo({ scanned_at: new Date(NOW_MS), queued: [queued('wh_a', NOW_MS - 50_000)] }), false, 'no row was hidden');
});

t.test('no floor is ever above an endpoint that the last scan reported', async () => {
  const look = fc.array(
    fc.record({ id: fc.constantFrom('a', 'b', 'c'), manual: fc.boolean(), ageMs: fc.integer({ min: -5000, max: 100_000 }) }),
    {
      maxLength: 3,
    },
  );
  fc.assert(
    fc.property(fc.array(fc.record({ look, whole: fc.boolean() })), (steps) => {
      const marks = new LowWaterMarks();
      for (const [index, { look: found, whole }] of steps.entries()) {
        const scanned_at = new Date(NOW_MS + index * 1000);
        const rows = [
          ...new Map(found.map(({ id, manual, ageMs }) => [`${id} ${manual}`, queued(id, scanned_at.getTime() - ageMs, manual)])).values(),
        ];
        if (whole) marks.lowerTo({ scanned_at, queued: rows });
        else marks.raise(marks.marks, { scanned_at, queued: rows });
        for (const row of rows) if ((marks.of(row)?.getTime() ?? 0) > row.due_at.getTime()) return false;
      }
      return true;
    }),
  );
});
