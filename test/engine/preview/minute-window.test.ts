import t from 'tap';
import { type CallJournal, type CountedCall, MinuteWindow } from '../../../engine/preview/minute-window.js';
import { manualClock } from '../../support/manual-clock.js';
import fc from '../../support/properties.js';

function memoryJournal(): CallJournal & { readonly notes: Map<number, number> } {
  const notes = new Map<number, number>();
  return { notes, note: (slot, until) => void notes.set(slot, until), read: () => notes, clear: () => notes.clear() };
}

const EPOCH_MS = 1_700_000_000_000;

function fixture(share: number, journal = memoryJournal()) {
  const clock = manualClock(5000);
  const open = () => {
    const window = new MinuteWindow({ journal, now: clock.now, epochNow: () => EPOCH_MS + clock.now() });
    window.share = share;
    return window;
  };
  return { clock, journal, open, window: open() };
}

t.test('a call counts until a minute after its end', async (t) => {
  const { clock, window } = fixture(2);
  const first = window.begin(1000);
  window.end(window.begin(1000));
  t.equal(window.hasRoom(), false);
  clock.advance(30_000);
  window.end(first);
  t.equal(window.waitMs(), 30_000, 'until the call that ended first no longer counts');
  clock.advance(29_999);
  t.equal(window.hasRoom(), false);
  clock.advance(1);
  t.equal(window.hasRoom(), true);
  window.end(window.begin(1000));
  t.equal(window.waitMs(), 30_000);
});

t.test('without a share there is never room; after a share shrinks there is room once enough calls are forgotten', async (t) => {
  const { clock, window } = fixture(0);
  t.equal(window.waitMs(), Number.POSITIVE_INFINITY);
  window.share = 3;
  for (let n = 0; n < 3; n++) {
    window.end(window.begin(10));
    clock.advance(1000);
  }
  window.share = 1;
  t.equal(window.waitMs(), 59_000, 'all three have to be forgotten: the last began a second ago');
  t.throws(() => window.begin(10), { name: 'InvariantError' });
});

t.test('a process that restarts after being killed still counts its earlier calls, ended or not', async (t) => {
  const { clock, journal, window, open } = fixture(3);
  window.end(window.begin(2000));
  clock.advance(10_000);
  window.begin(2000);
  const next = open();
  t.equal(next.hasRoom(), true);
  next.end(next.begin(2000));
  t.equal(next.hasRoom(), false);
  clock.advance(52_000);
  t.equal(next.hasRoom(), true, 'the first call may have lasted 2 s, and counted for 62 s');
  t.equal(journal.notes.size, 3);
  for (let round = 0; round < 50; round++) {
    next.end(next.begin(2000));
    clock.advance(70_000);
  }
  t.equal(journal.notes.size, 3, 'slots are reused');
});

t.test('a clock that was set back does not keep old calls longer than new ones', async (t) => {
  const journal = memoryJournal();
  journal.note(0, EPOCH_MS + 3_600_000);
  const { clock, window } = fixture(1, journal);
  t.equal(window.waitMs(), 65_000);
  clock.advance(65_000);
  t.equal(window.hasRoom(), true);
});

t.test('notes are kept until no call counts any more for a restarted process', async (t) => {
  const { clock, journal, window, open } = fixture(2);
  const call = window.begin(5000);
  clock.advance(70_000);
  t.notOk(window.clearIfQuiet(), 'a call is under way');
  window.end(call);
  clock.advance(64_999);
  t.notOk(window.clearIfQuiet());
  t.equal(journal.notes.size, 1);
  clock.advance(1);
  t.ok(window.clearIfQuiet());
  t.equal(journal.notes.size, 0);
  t.ok(open().clearIfQuiet(), 'there has never been a call');
});

t.test('the quiet time is the time since the last call', async (t) => {
  const { clock, window } = fixture(2);
  t.ok(window.quietMs() >= 60_000);
  const call = window.begin(10);
  clock.advance(500);
  t.equal(window.quietMs(), 0);
  window.end(call);
  clock.advance(700);
  t.equal(window.quietMs(), 700);
});

/** What happens next: a call takes place, time passes, or the process is killed and another one continues. */
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('call' as const),
      lastsMs: fc.integer({ min: 0, max: 5000 }),
      arrives: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 20_000 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('kill' as const) }) },
);

t.test(
  'the API never sees more calls than the share in any 60 seconds, despite kills and at whatever point of a call its request arrives',
  async () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5 }), fc.array(step, { maxLength: 200 }), (share, steps) => {
        const { clock, open } = fixture(share);
        let window = open();
        const underWay: { readonly call: CountedCall; readonly endsAt: number }[] = [];
        const arrivals: number[] = [];
        const endDue = () => {
          for (const entry of underWay.filter(({ endsAt }) => endsAt <= clock.now())) {
            window.end(entry.call);
            underWay.splice(underWay.indexOf(entry), 1);
          }
        };
        for (const next of steps) {
          if (next.kind === 'kill') {
            underWay.length = 0; // killing a process closes its connections
            window = open();
          } else if (next.kind === 'wait') {
            const until = clock.now() + next.ms;
            for (const { endsAt } of [...underWay].sort((a, b) => a.endsAt - b.endsAt).filter(({ endsAt }) => endsAt <= until)) {
              clock.set(Math.max(clock.now(), endsAt));
              endDue();
            }
            clock.set(until);
          } else if (window.hasRoom()) {
            underWay.push({ call: window.begin(5000), endsAt: clock.now() + next.lastsMs });
            arrivals.push(clock.now() + next.arrives * next.lastsMs);
            endDue();
          }
        }
        arrivals.sort((a, b) => a - b);
        return arrivals.every((at, index) => {
          const later = arrivals[index + share];
          return later === undefined || later - at >= 60_000;
        });
      }),
      { numRuns: 300 },
    );
  },
);
