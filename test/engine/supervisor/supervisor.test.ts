import t from 'tap';
import { Supervisor } from '../../../engine/supervisor/supervisor.js';
import { createLogger } from '../../../shared/base/log.js';
import { systemScheduler } from '../../../shared/base/scheduler.js';
import { fakeFork } from '../../fixtures/supervisor/fake-fork.js';
import { manualClock } from '../../support/manual-clock.js';

function setUp() {
  const clock = manualClock(5_000);
  const forks = { a: fakeFork(100), b: fakeFork(200) };
  const seen: string[] = [];
  const supervisor = new Supervisor({
    processes: [
      { name: 'a', order: 'successor-first', knowsHosts: true, hearsOfAll: false, fork: forks.a.fork },
      { name: 'b', order: 'predecessor-first', knowsHosts: false, hearsOfAll: true, fork: forks.b.fork },
    ],
    clock: clock.now,
    random: Math.random,
    schedule: systemScheduler,
    log: createLogger('test', 'silent'),
    onMetrics: (process, pid, metrics) => seen.push(`metrics ${process} ${pid} ${JSON.stringify(metrics)}`),
    onGone: (process, pid) => seen.push(`gone ${process} ${pid}`),
    onStoreSuspicion: () => seen.push('store suspected'),
  });
  return { supervisor, forks, clock, seen };
}

t.test('a rolling restart replaces one process after the other', async (t) => {
  const { supervisor, forks } = setUp();
  supervisor.start('a');
  supervisor.start('b');
  forks.a.last().ready();
  forks.b.last().ready();
  const done = supervisor.rollingRestart();
  t.equal(supervisor.rollingRestart(), done, 'a second request joins the first');
  t.equal(forks.a.processes.length, 2);
  t.same(forks.b.last().sent, [], 'b does not drain while a is replaced');
  forks.a.last().ready();
  forks.a.processes[0]?.ends(0);
  await new Promise(setImmediate);
  t.same(forks.b.last().sent, [{ type: 'drain', whole: false }]);
  forks.b.last().ends(0);
  t.equal(await done, true);
  t.same([forks.a.processes.length, forks.b.processes.length], [2, 2]);
});

t.test('a question about a host goes to processes that serve and have the table of hosts', async (t) => {
  const { supervisor, forks } = setUp();
  t.equal(await supervisor.knowsHost('a.example'), 'uncertain', 'no process serves yet');
  supervisor.start('a');
  supervisor.start('b');
  t.equal(await supervisor.knowsHost('a.example'), 'uncertain', 'a process that has only started is not asked');
  forks.a.last().ready();
  forks.b.last().ready();
  const asked = supervisor.knowsHost('a.example');
  t.match(forks.a.last().sent, [{ type: 'host_question', host: 'a.example' }]);
  t.same(forks.b.last().sent, [], 'a process without the table is not asked');
  const [question] = forks.a.last().sent;
  if (question?.type === 'host_question') forks.a.last().says({ type: 'host_answer', question: question.question, answer: 'known' });
  t.equal(await asked, 'known');
});

t.test('a rolling restart stops at the first process that does not start', async (t) => {
  const { supervisor, forks } = setUp();
  supervisor.start('a');
  supervisor.start('b');
  forks.a.last().ready();
  forks.b.last().ready();
  const done = supervisor.rollingRestart();
  forks.a.last().ends(1);
  t.equal(await done, false);
  t.same(forks.b.last().sent, []);
});

t.test('the status shows the last report of the current process, and how long ago it was', async (t) => {
  const { supervisor, forks, clock } = setUp();
  t.match(supervisor.status()[0], { name: 'a', mode: 'idle', pid: null, silent_ms: null });
  supervisor.start('a');
  const first = forks.a.last();
  first.ready();
  first.says({ type: 'alive', health: [{ part: 'sync', ok: false, reason: 'a reason' }], metrics: [] });
  clock.advance(700);
  t.match(supervisor.status()[0], {
    mode: 'serving',
    pid: first.pid,
    silent_ms: 700,
    parts: [{ part: 'sync', ok: false, reason: 'a reason' }],
  });
  void supervisor.rollingRestart();
  forks.a.last().ready();
  first.alive();
  t.match(
    supervisor.status()[0],
    { pid: forks.a.last().pid, silent_ms: null, parts: [] },
    'the predecessor no longer reports for the slot',
  );
});

t.test('the process that reports on the whole engine gets the health of all processes with each of its own reports', async (t) => {
  const { supervisor, forks } = setUp();
  supervisor.start('a');
  supervisor.start('b');
  forks.a.last().ready();
  forks.b.last().ready();
  forks.a.last().says({ type: 'alive', health: [{ part: 'store', ok: false, reason: 'a reason' }], metrics: [] });
  t.same(forks.a.last().sent, []);
  forks.b.last().says({ type: 'alive', health: [{ part: 'sync', ok: true, reason: '' }], metrics: [] });
  t.match(forks.b.last().sent, [
    { type: 'health', health: { parts: [{ part: 'a' }, { part: 'a/store', ok: false }, { part: 'b' }, { part: 'b/sync', ok: true }] } },
  ]);
  forks.b.last().alive();
  t.equal(forks.b.last().sent.length, 2);
});

t.test('metrics of every process are passed on, and then its end', async (t) => {
  const { supervisor, forks, seen } = setUp();
  supervisor.start('a');
  forks.a.last().says({ type: 'alive', health: [], metrics: [1] });
  forks.a.last().ends(null, 'SIGKILL');
  t.same(seen, ['metrics a 100 [1]', 'gone a 100']);
});

t.test('after five native crashes in a row the store is suspected', async (t) => {
  const { supervisor, forks, clock, seen } = setUp();
  supervisor.start('b');
  for (let crash = 0; crash < 5; crash++) {
    forks.b.last().ends(null, 'SIGSEGV');
    clock.advance(10_000);
    supervisor.tick();
  }
  t.equal(seen.filter((line) => line === 'store suspected').length, 1);
});

t.test('nothing is started after a stop', async (t) => {
  const { supervisor, forks } = setUp();
  supervisor.start('a');
  const stopped = supervisor.stop();
  supervisor.start('b');
  forks.a.last().ends(0);
  await stopped;
  t.equal(forks.b.processes.length, 0);
  t.equal(forks.a.processes.length, 1);
});
