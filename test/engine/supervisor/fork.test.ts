import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import type { ChildMessage } from '../../../engine/processes/messages.js';
import type { Exit } from '../../../engine/supervisor/child.js';
import { createFork } from '../../../engine/supervisor/fork.js';
import { openPidfile } from '../../../engine/supervisor/pidfile.js';
import { createLogger } from '../../../shared/base/log.js';
import { until } from '../../support/until.js';

const log = createLogger('test', 'silent');
const CHILD = fileURLToPath(new URL('../../fixtures/supervisor/child.js', import.meta.url));

function setUp(entry: string, dir: string) {
  const messages: ChildMessage[] = [];
  const exits: Exit[] = [];
  const fork = createFork({ entry, environment: process.env, log, pidfile: openPidfile(join(dir, 'run')) });
  const forked = fork({ onMessage: (message) => void messages.push(message), onExit: (exit) => void exits.push(exit) });
  return { forked, messages, exits, run: () => readdirSync(join(dir, 'run')) };
}

t.test('a forked process is in the pidfile while it runs, its messages arrive, and it drains when asked to', async (t) => {
  const { forked, messages, exits, run } = setUp(CHILD, t.testdir());
  t.same(run(), [String(forked.pid)]);
  await until(() => messages.some(({ type }) => type === 'ready'), 'ready');
  forked.send({ type: 'drain', whole: true });
  await until(() => exits.length > 0, 'its end');
  t.same(exits, [{ code: 0, signal: null }]);
  t.same(run(), []);
  t.doesNotThrow(() => forked.send({ type: 'drain', whole: true }), 'a message to an ended process goes nowhere');
  t.doesNotThrow(() => forked.kill('SIGKILL'));
});

t.test('a module that does not exist counts as a process that ended', async (t) => {
  const { exits } = setUp(join(t.testdir(), 'missing.js'), t.testdir());
  await until(() => exits.length > 0, 'its end');
  t.same(exits, [{ code: 1, signal: null }]);
});

t.test('a process runs even if the pidfile cannot be written', async (t) => {
  const exits: Exit[] = [];
  const pidfile = {
    add: () => {
      throw new Error('disk full');
    },
    remove: () => {
      throw new Error('disk full');
    },
    staleProcesses: () => [],
  };
  const forked = createFork({ entry: CHILD, environment: process.env, log, pidfile })({
    onMessage: () => {},
    onExit: (exit) => void exits.push(exit),
  });
  forked.kill('SIGKILL');
  await until(() => exits.length > 0, 'its end');
  t.same(exits, [{ code: null, signal: 'SIGKILL' }]);
});
