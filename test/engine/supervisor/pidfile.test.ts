import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { openPidfile, outliveStaleProcesses } from '../../../engine/supervisor/pidfile.js';
import { isAlive } from '../../../shared/base/process-identity.js';

async function sleeper(ignoreTerm: boolean) {
  const script = `${ignoreTerm ? "process.on('SIGTERM', () => {});" : ''} setInterval(() => {}, 1000); console.log('up')`;
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'ignore'] });
  await once(child.stdout, 'data');
  return child;
}

const sleep = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

t.test('the next supervisor finds the children that a killed supervisor left', async (t) => {
  const dir = join(t.testdir(), 'run');
  const child = await sleeper(false);
  t.teardown(() => child.kill('SIGKILL'));
  const pidfile = openPidfile(dir);
  pidfile.add(child.pid as number);
  pidfile.add(2 ** 22 + 1);
  writeFileSync(join(dir, '77'), 'cut sho');
  writeFileSync(join(dir, String(process.pid)), `${process.pid} another-boot/1\n`);
  const staleProcesses = openPidfile(dir).staleProcesses();
  t.same(
    staleProcesses.map(({ pid }) => pid),
    [child.pid],
  );
  t.same(readdirSync(dir), [String(child.pid)], 'entries of ended processes are removed');
  pidfile.remove(child.pid as number);
  t.same(openPidfile(dir).staleProcesses(), []);
});

t.test('stale processes that end by themselves are not killed', async (t) => {
  const child = await sleeper(false);
  const pidfile = openPidfile(join(t.testdir(), 'run'));
  pidfile.add(child.pid as number);
  const waiting = outliveStaleProcesses({ staleProcesses: pidfile.staleProcesses(), deadlineMs: 10_000, pollMs: 10, sleep });
  child.kill('SIGTERM');
  t.equal(await waiting, 0);
});

t.test('stale processes that hang are killed at the deadline', async (t) => {
  const child = await sleeper(true);
  t.teardown(() => child.kill('SIGKILL'));
  const pidfile = openPidfile(join(t.testdir(), 'run'));
  pidfile.add(child.pid as number);
  const staleProcesses = pidfile.staleProcesses();
  t.equal(await outliveStaleProcesses({ staleProcesses, deadlineMs: 50, pollMs: 10, sleep }), 1);
  t.notOk(staleProcesses.some(isAlive));
});

t.test('without stale processes there is nothing to wait for', async (t) => {
  t.equal(
    await outliveStaleProcesses({ staleProcesses: [], deadlineMs: 10_000, pollMs: 10, sleep: () => Promise.reject(new Error('it slept')) }),
    0,
  );
});
