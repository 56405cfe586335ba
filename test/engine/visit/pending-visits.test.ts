import t from 'tap';
import { newFacts } from '../../../engine/http/facts.js';
import { PendingVisits } from '../../../engine/visit/pending-visits.js';
import { PENDING_VISITS_MAX } from '../../../shared/base/limits.js';
import { RecordedSink } from '../http/recorded-sink.js';

class ClientSink extends RecordedSink {
  leave = (): void => {};

  override onAborted(handler: () => void): void {
    this.leave = handler;
  }
}

function setUp(deadlineMs = 60_000) {
  const done: string[] = [];
  const pending = new PendingVisits(
    {
      responder: { defer: () => done.push('deferred') } as never,
      site: { unavailable: ({ path }) => void done.push(`unavailable ${path}`) },
      figures: { count: (outcome: string) => done.push(`counted ${outcome}`) } as never,
      answerLate: (_facts, _sink, write) => write(),
      onFailure: (error) => done.push(`failed ${(error as Error).message}`),
    },
    deadlineMs,
  );
  const hold = (path: string, found: Promise<string>) => {
    const facts = newFacts();
    facts.path = path;
    const sink = new ClientSink();
    pending.hold(facts, { entry: undefined }, sink, { find: () => found, answer: (held, what) => done.push(`${held.path} is ${what}`) });
    facts.path = '/another-request';
    return sink;
  };
  return { done, pending, hold };
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 1));
const NEVER = new Promise<string>(() => {});

t.test('a waiting visit is answered with the result that it waited for', async (t) => {
  const { done, pending, hold } = setUp();
  hold('/a', Promise.resolve('found'));
  t.equal(pending.size, 1);
  await settled();
  t.equal(pending.size, 0);
  t.same(done, ['deferred', '/a is found']);
});

t.test('an error is reported, and the visit is answered as unavailable', async (t) => {
  const { done, pending, hold } = setUp();
  hold('/a', Promise.reject(new Error('away')));
  await settled();
  t.equal(pending.size, 0);
  t.same(done, ['deferred', 'failed away', 'unavailable /a']);
});

t.test('a visit waits no longer than its deadline, and is answered once', async (t) => {
  const { done, pending, hold } = setUp(5);
  const late = new Promise<string>((resolve) => setTimeout(resolve, 30, 'late'));
  hold('/a', late);
  await late;
  await settled();
  t.equal(pending.size, 0);
  t.same(done, ['deferred', 'unavailable /a']);
});

t.test('a client that leaves makes room for another', async (t) => {
  const { done, pending, hold } = setUp();
  const sinks = Array.from({ length: PENDING_VISITS_MAX }, (_, n) => hold(`/${n}`, NEVER));
  t.ok(pending.full);
  sinks[0]?.leave();
  t.notOk(pending.full);
  t.equal(pending.size, PENDING_VISITS_MAX - 1);
  t.match(done.at(-1), 'counted aborted');
  for (const sink of sinks) sink.leave();
  t.equal(pending.size, 0);
});
