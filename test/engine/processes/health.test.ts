import t from 'tap';
import type { ProcessStatus } from '../../../engine/processes/health.js';
import { reportOf } from '../../../engine/processes/health.js';
import { readiness, SILENT_RED_MS } from '../../../engine/supervisor/readiness.js';

const serving: ProcessStatus = {
  name: 'background',
  mode: 'serving',
  pid: 7,
  silent_ms: 300,
  restarts: 0,
  parts: [{ part: 'sync', ok: true, reason: '' }],
};

t.test('the status is ok when every process and every part is', async (t) => {
  t.same(readiness([serving]), {
    status: 'ok',
    parts: [
      { part: 'background', ok: true, reason: '' },
      { part: 'background/sync', ok: true, reason: '' },
    ],
    processes: [{ name: 'background', pid: 7, mode: 'serving', restarts: 0 }],
  });
});

t.test('one failing part makes the whole status failing, and its reason is shown', async (t) => {
  const report = readiness([serving, { ...serving, name: 'redirect-0', parts: [{ part: 'store', ok: false, reason: 'it is empty' }] }]);
  t.equal(report.status, 'failing');
  t.same(
    report.parts.filter(({ ok }) => !ok),
    [{ part: 'redirect-0/store', ok: false, reason: 'it is empty' }],
  );
});

const cases: readonly [Partial<ProcessStatus>, boolean, string][] = [
  [{ silent_ms: SILENT_RED_MS }, true, ''],
  [{ silent_ms: SILENT_RED_MS + 1 }, false, 'the process has not reported for 5 s'],
  [{ silent_ms: null }, false, 'the process has not reported yet'],
  [{ mode: 'replacing' }, true, ''],
  [{ mode: 'starting' }, false, 'the process is starting'],
  [{ mode: 'renewing' }, false, 'the process is renewing'],
  [{ mode: 'waiting', pid: null }, false, 'the process keeps crashing and waits to be restarted'],
  [{ mode: 'idle' }, false, 'the process is idle'],
  [{ mode: 'stopping' }, false, 'the process is stopping'],
];
for (const [change, ok, reason] of cases)
  t.test(`${JSON.stringify(change)} is ${ok ? 'ready' : `not ready: ${reason}`}`, async (t) => {
    const { status, parts } = readiness([{ ...serving, ...change }]);
    t.equal(status, ok ? 'ok' : 'failing');
    t.same(parts[0], { part: 'background', ok, reason });
    t.equal(parts.length, ok ? 2 : 1, 'the parts of a failing process say nothing new');
  });

t.test('the report in the database names what fails and why, in text that PostgreSQL can store', async (t) => {
  const failing = {
    ...serving,
    parts: [{ part: 'sync', ok: false, reason: `connect ECONNREFUSED 10.0.0.5:5432 \0\ud800${'x'.repeat(600)}` }],
  };
  const health = readiness([failing, { ...serving, name: 'redirect-0', mode: 'waiting', restarts: 3 }]);
  const report = reportOf(health, { pending_bytes: 640, dropped_clicks: 2 });
  t.match(report, {
    processes: [
      { name: 'background', ok: true, restarts: 0 },
      { name: 'redirect-0', ok: false, reason: 'the process keeps crashing and waits to be restarted', restarts: 3 },
    ],
    parts: [{ part: 'background/sync', ok: false, reason: /^connect ECONNREFUSED 10\.0\.0\.5:5432 \ufffd\ufffdx+$/ }],
    spool: { pending_bytes: 640, dropped_clicks: 2 },
  });
  t.notOk('reason' in (report.processes[0] as object), 'a healthy process has no reason');
  t.ok(Buffer.byteLength(report.parts[0]?.reason ?? '') <= 500);
});
