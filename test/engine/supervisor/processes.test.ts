import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t, { type Test } from 'tap';
import type { ProcessStatus } from '../../../engine/processes/health.js';
import { createFork } from '../../../engine/supervisor/fork.js';
import { openPidfile } from '../../../engine/supervisor/pidfile.js';
import { Supervisor } from '../../../engine/supervisor/supervisor.js';
import { createLogger } from '../../../shared/base/log.js';
import { identify, isAlive } from '../../../shared/base/process-identity.js';
import { systemScheduler } from '../../../shared/base/scheduler.js';
import { until } from '../../support/until.js';

const FIXTURES = new URL('../../fixtures/supervisor/', import.meta.url);
const file = (name: string) => fileURLToPath(new URL(name, FIXTURES));

/** Most of the time is spent waiting for processes to start and to end. */
t.jobs = 4;

/**
 * A supervisor over one real process. Its clock runs at the speed of real time until `hurry(speed)` makes it run that many times
 * as fast.
 */
function setUp(t: Test, behaviour: string) {
  const log = createLogger('test', 'silent');
  const dir = t.testdir();
  const gone: number[] = [];
  let suspicions = 0;
  let pace = { speed: 1, since: performance.now(), counted: 0 };
  const clock = () => pace.counted + (performance.now() - pace.since) * pace.speed;
  const hurry = (speed: number) => {
    pace = { speed, since: performance.now(), counted: clock() };
  };
  const environment = { ...process.env, FIXTURE_BEHAVIOUR: behaviour };
  const supervisor = new Supervisor({
    processes: [
      {
        name: 'only',
        order: 'successor-first',
        knowsHosts: true,
        hearsOfAll: false,
        fork: createFork({ entry: file('child.js'), environment, log, pidfile: openPidfile(join(dir, 'run')) }),
      },
    ],
    clock,
    random: () => 0,
    schedule: systemScheduler,
    log,
    onMetrics: () => {},
    onGone: (_, pid) => void gone.push(pid),
    onStoreSuspicion: () => void suspicions++,
  });
  const ticking = setInterval(() => supervisor.tick(), 10);
  supervisor.start('only');
  t.teardown(async () => {
    supervisor.kill('the test is over');
    await supervisor.stop();
    clearInterval(ticking);
  });
  const status = () => supervisor.status()[0] as ProcessStatus;
  const serving = () => until(() => status().mode === 'serving' && status().parts.length > 0 && status(), 'a serving process');
  return { supervisor, status, serving, gone, hurry, run: () => readdirSync(join(dir, 'run')), suspicions: () => suspicions };
}

/**
 * 1 s on a machine of its own. Here, other work shares the two cores. A wait before the restart would be 200 ms, and would double
 * each time.
 */
const BACK_MS_MAX = 10_000;

t.test('a killed process is replaced at once, again and again', async (t) => {
  const { serving, status, gone, run } = setUp(t, 'good');
  for (let kill = 0; kill < 3; kill++) {
    const { pid } = await serving();
    const killedAt = performance.now();
    process.kill(pid as number, 'SIGKILL');
    await until(() => status().pid !== pid && status().mode === 'serving', 'its successor');
    const took = performance.now() - killedAt;
    t.ok(took < BACK_MS_MAX, `back after ${Math.round(took)} ms`);
    t.equal(gone.at(-1), pid);
    t.same(run(), [String(status().pid)], 'the pidfile names the running process');
  }
});

t.test('a process that is stopped and one that is stuck in a loop are killed and replaced', async (t) => {
  for (const behaviour of ['good', 'busy'])
    await t.test(behaviour, async (t) => {
      const { serving, status, gone, hurry } = setUp(t, behaviour);
      const { pid } = await serving();
      if (behaviour === 'good') process.kill(pid as number, 'SIGSTOP');
      hurry(10);
      await until(() => gone.includes(pid as number), 'its end');
      hurry(1);
      await until(() => status().pid !== pid && status().mode === 'serving', 'its successor');
    });
});

t.test('a drain ends a process with code 0', async (t) => {
  const { supervisor, serving, status, run } = setUp(t, 'good');
  const { pid } = await serving();
  const identity = identify(pid as number);
  await supervisor.stop();
  t.equal(status().mode, 'stopped');
  t.ok(identity && !isAlive(identity));
  t.same(run(), []);
});

t.test('a process that does not end its drain is killed at the deadline', async (t) => {
  const { supervisor, serving, hurry } = setUp(t, 'stubborn');
  const { pid } = await serving();
  hurry(20);
  await supervisor.stop();
  t.equal(identify(pid as number), null);
});

t.test('a rolling restart starts a new process and ends the old one', async (t) => {
  const { supervisor, serving, status } = setUp(t, 'good');
  const { pid } = await serving();
  t.equal(await supervisor.rollingRestart(), true);
  t.not(status().pid, pid);
  t.equal(identify(pid as number), null);
  t.equal(status().restarts, 0);
});

t.test('metrics that fail count as a failing part, and the process still reports', async (t) => {
  const { serving } = setUp(t, 'metrics-fail');
  t.match((await serving()).parts, [
    { part: 'fixture', ok: true },
    { part: 'metrics', ok: false, reason: 'Error: no metrics today' },
  ]);
});

t.test('processes that keep aborting in native code make the supervisor suspect the store', async (t) => {
  const { suspicions } = setUp(t, 'abort');
  await until(() => suspicions() > 0, 'the suspicion');
  t.pass('the suspicion was raised');
});

for (const signal of ['SIGINT', 'SIGHUP'] as const)
  t.test(`a child goes on after ${signal}, which only the supervisor handles`, async (t) => {
    const { serving, status } = setUp(t, 'good');
    const { pid } = await serving();
    process.kill(pid as number, signal);
    await new Promise((resolve) => setTimeout(resolve, 200));
    t.match(status(), { pid, mode: 'serving' });
  });

t.test('the children of a killed supervisor end by themselves', async (t) => {
  const run = join(t.testdir(), 'run');
  const main = fork(file('main.js'), [run]);
  const [pid] = (await once(main, 'message')) as [number];
  const identity = identify(pid);
  t.ok(identity);
  if (identity === null) return;
  t.same(
    openPidfile(run)
      .staleProcesses()
      .map((staleProcess) => staleProcess.pid),
    [pid],
  );
  main.kill('SIGKILL');
  await once(main, 'exit');
  await until(() => !isAlive(identity), 'the end of the child');
  t.same(openPidfile(run).staleProcesses(), []);
});
