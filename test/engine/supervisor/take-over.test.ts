import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import t, { type Test } from 'tap';
import type { ProcessStatus } from '../../../engine/processes/health.js';
import { type TakeOverInput, takeOver } from '../../../engine/supervisor/take-over.js';
import { createLogger } from '../../../shared/base/log.js';
import { identify, type ProcessIdentity } from '../../../shared/base/process-identity.js';
import { until } from '../../support/until.js';

/** A process that ends at SIGTERM, as an engine does. */
async function startPredecessor(t: Test): Promise<ProcessIdentity & { readonly process: ChildProcess }> {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000); console.log("up")']);
  t.teardown(() => child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  const identity = identify(child.pid as number);
  if (identity === null) throw new Error('it has no identity');
  return { ...identity, process: child };
}

/** A supervisor whose processes serve when the test says so. */
function setUp(predecessor: ProcessIdentity, { sharesPort = true } = {}) {
  const started: string[] = [];
  const serving = new Set<string>();
  let stopping = false;
  const input: TakeOverInput = {
    predecessor,
    background: 'background',
    redirects: ['redirect-0'],
    sharesPort,
    start: (name) => void started.push(name),
    status: () =>
      started.map((name): ProcessStatus => {
        return { name, mode: serving.has(name) ? 'serving' : 'starting', pid: 1, silent_ms: 0, restarts: 0, parts: [] };
      }),
    stopping: () => stopping,
    log: createLogger('test', 'silent'),
    sleep: () => new Promise((resolve) => setTimeout(resolve, 1)),
  };
  return {
    input,
    started,
    serves: (name: string) => void serving.add(name),
    stop: () => {
      stopping = true;
    },
  };
}

t.test('the predecessor ends once the processes of its successor serve, and not before', async (t) => {
  const predecessor = await startPredecessor(t);
  const { input, started, serves } = setUp(predecessor);
  const taken = takeOver(input);
  t.same(started, ['background']);
  serves('background');
  await until(() => started.includes('redirect-0'), 'the redirect process');
  t.ok(identify(predecessor.pid), 'the predecessor still serves');
  serves('redirect-0');
  t.equal(await taken, true);
  t.equal(identify(predecessor.pid), null);
});

t.test('if the port cannot be shared, the predecessor gives it up first', async (t) => {
  const predecessor = await startPredecessor(t);
  const { input, started, serves } = setUp(predecessor, { sharesPort: false });
  const taken = takeOver(input);
  t.same(started, ['background']);
  serves('background');
  t.equal(await taken, true);
  t.same(started, ['background', 'redirect-0']);
  t.equal(identify(predecessor.pid), null);
});

t.test('a successor that is stopped while it waits leaves the predecessor running', async (t) => {
  const predecessor = await startPredecessor(t);
  const { input, stop } = setUp(predecessor);
  const taken = takeOver(input);
  stop();
  t.equal(await taken, false);
  t.ok(identify(predecessor.pid));
});

t.test('the successor starts all its processes once the predecessor ends by itself', async (t) => {
  const predecessor = await startPredecessor(t);
  const { input, started } = setUp(predecessor);
  const taken = takeOver(input);
  predecessor.process.kill('SIGKILL');
  t.equal(await taken, true);
  t.same(started, ['background', 'redirect-0']);
});
