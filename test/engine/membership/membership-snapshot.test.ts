import { randomUUID } from 'node:crypto';
import t, { type Test } from 'tap';
import { Membership, SETTLING_MS } from '../../../engine/membership/membership.js';
import { MembershipSnapshot } from '../../../engine/membership/membership-snapshot.js';
import { CallNotes, dropPastCalls } from '../../../engine/preview/call-notes.js';
import { AnswerWriter } from '../../../engine/store/answer-writer.js';
import { answersFolder } from '../../../engine/store/copies.js';
import { readPointer, reportDamage } from '../../../engine/store/generations.js';
import { systemClock } from '../../../shared/base/clock.js';
import { manualClock } from '../../support/manual-clock.js';
import { silentLog } from '../fixtures.js';

const START_MS = 1_700_000_000_000;
const [A, B] = [randomUUID(), randomUUID()];

function store(t: Test, dataDir: string): AnswerWriter {
  const writer = new AnswerWriter({ dataDir, log: silentLog, clock: systemClock, bootId: () => 'boot' });
  t.teardown(() => writer.close());
  return writer;
}

t.test('a restarted process keeps id and set: alone at any time, among others only for a short time', async (t) => {
  const dataDir = t.testdir();
  const clock = manualClock(START_MS);
  const first = store(t, dataDir);
  t.equal(new MembershipSnapshot(first, clock.now).read(), null);
  const note = new MembershipSnapshot(first, clock.now);
  note.write({ id: A, members: [A], calls: true, acting: true });
  await first.close();
  clock.advance(86_400_000);
  const second = store(t, dataDir);
  t.strictSame(new MembershipSnapshot(second, clock.now).read(), { id: A, members: [A], holds: true, calls: true });
  const later = new MembershipSnapshot(second, clock.now);
  later.write({ id: A, members: [A, B], calls: true, acting: true });
  clock.advance(59_000);
  t.equal(later.read()?.holds, true);
  clock.advance(2_000);
  t.strictSame(later.read(), { id: A, members: [A, B], holds: false, calls: true }, 'the others may consider it ended');
  later.write({ id: A, members: [A], calls: true, acting: false });
  t.equal(later.read()?.holds, false, 'a process that was not acting yet does not continue');
});

t.test('after the notes of calls are lost, the id is stored again only when those calls no longer count', async (t) => {
  const dataDir = t.testdir();
  const clock = manualClock(START_MS);
  const writer = store(t, dataDir);
  const note = new MembershipSnapshot(writer, clock.now);
  note.write({ id: A, members: [A], calls: true, acting: true });
  reportDamage(answersFolder(dataDir), readPointer(answersFolder(dataDir)) as string, 'damaged');
  writer.inspect();
  note.write({ id: A, members: [A], calls: true, acting: true });
  t.equal(note.read(), null);
  clock.advance(SETTLING_MS);
  note.write({ id: A, members: [A], calls: true, acting: true });
  t.equal(note.read()?.id, A);
});

t.test('a note that is damaged in any way is no note, or says what an engine can act by', async (t) => {
  const clock = manualClock(START_MS);
  let text = '';
  const answers = { notes: () => [['n/fleet', text]] as const, note: (_: string, value: string) => (text = value), thrownAway: 0 };
  const snapshot = new MembershipSnapshot(answers as never, clock.now);
  for (const calls of [true, false]) {
    const whole = { id: A, members: calls ? [A, B] : [B], calls, acting: true };
    snapshot.write(whole);
    t.match(snapshot.read(), { id: A, calls, holds: true });
    const stored = text;
    const damages = [...stored].flatMap((_, at) =>
      ['', 'x', '"', '0', '\0'].map((byte) => stored.slice(0, at) + byte + stored.slice(at + 1)),
    );
    for (const damaged of ['', 'null', '[]', '1', stored.slice(0, 40), ...damages]) {
      text = damaged;
      const read = snapshot.read();
      if (read === null) continue;
      // Throws if the engine could not continue with it.
      new Membership(read.id, () => 0, read.calls).resume(read.members);
      if (!/^[\da-f-]{36}$/.test(read.id)) t.fail(damaged);
    }
  }
});

t.test('calls are noted for each API separately', async (t) => {
  const dataDir = t.testdir();
  const first = store(t, dataDir);
  const notes = new CallNotes(first, 'mapi_1');
  notes.note(0, 17.5);
  notes.note(12, 18);
  notes.note(0, 19);
  new CallNotes(first, 'mapi_10').note(3, 1);
  await first.close();
  t.strictSame(
    [...new CallNotes(store(t, dataDir), 'mapi_1').read()].sort((a, b) => a[0] - b[0]),
    [
      [0, 19],
      [12, 18],
    ],
  );
});

t.test('notes of calls are dropped when their time is over, or all at once for one API', async (t) => {
  const answers = store(t, t.testdir());
  const notes = new CallNotes(answers, 'mapi_1');
  const other = new CallNotes(answers, 'mapi_10');
  notes.note(0, 17);
  notes.note(1, 18);
  other.note(3, 16);
  other.note(4, 20);
  dropPastCalls(answers, 17);
  t.strictSame([[...notes.read()], [...other.read()]], [[[1, 18]], [[4, 20]]]);
  notes.clear();
  t.strictSame([[...notes.read()], [...other.read()]], [[], [[4, 20]]]);
});
