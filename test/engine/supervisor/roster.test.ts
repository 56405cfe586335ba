import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { openRoster, outliveOrphans } from '../../../engine/supervisor/roster.js';
import { isAlive } from '../../../shared/base/process-identity.js';

async function sleeper(ignoreTerm: boolean) {
  const script = `${ignoreTerm ? "process.on('SIGTERM', () => {});" : ''} setInterval(() => {}, 1000); console.log('up')`;
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'ignore'] });
  await once(child.stdout, 'data');
  return child;
}

const sleep = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

t.test('the next supervisor finds the children that outlived a killed one', async (t) => {
  const dir = join(t.testdir(), 'run');
  const child = await sleeper(false);
  t.teardown(() => child.kill('SIGKILL'));
  const roster = openRoster(dir);
  roster.add(child.pid as number);
  roster.add(2 ** 22 + 1);
  writeFileSync(join(dir, '77'), 'cut sho');
  writeFileSync(join(dir, String(process.pid)), `${process.pid} another-boot/1\n`);
  const orphans = openRoster(dir).orphans();
  t.same(
    orphans.map(({ pid }) => pid),
    [child.pid],
  );
  t.same(readdirSync(dir), [String(child.pid)], 'entries of ended processes are gone');
  roster.remove(child.pid as number);
  t.same(openRoster(dir).orphans(), []);
});

t.test('orphans that end by themselves are waited for and not killed', async (t) => {
  const child = await sleeper(false);
  const roster = openRoster(join(t.testdir(), 'run'));
  roster.add(child.pid as number);
  const waiting = outliveOrphans({ orphans: roster.orphans(), deadlineMs: 10_000, pollMs: 10, sleep });
  child.kill('SIGTERM');
  t.equal(await waiting, 0);
});

t.test('orphans that hang are killed at the deadline', async (t) => {
  const child = await sleeper(true);
  t.teardown(() => child.kill('SIGKILL'));
  const roster = openRoster(join(t.testdir(), 'run'));
  roster.add(child.pid as number);
  const orphans = roster.orphans();
  t.equal(await outliveOrphans({ orphans, deadlineMs: 50, pollMs: 10, sleep }), 1);
  t.notOk(orphans.some(isAlive));
});

t.test('without orphans there is nothing to wait for', async (t) => {
  t.equal(await outliveOrphans({ orphans: [], deadlineMs: 10_000, pollMs: 10, sleep: () => Promise.reject(new Error('it slept')) }), 0);
});
