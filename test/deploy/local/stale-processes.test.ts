import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { endStaleProcesses } from '../../../deploy/local/stale-processes.js';
import { openPidfile } from '../../../engine/supervisor/pidfile.js';

/** Starts a process that leads a group of its own, like the processes of the start. */
async function run(script: string) {
  const child = spawn(process.execPath, ['-e', `${script}; console.log('up'); setInterval(() => {}, 1000)`], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return { child, exited: once(child, 'exit') };
}

t.test('processes that a killed start left behind get SIGTERM, and SIGKILL if they go on', async (t) => {
  const folder = t.testdir();
  const obeying = await run('0');
  const deaf = await run("process.on('SIGTERM', () => {})");
  const stranger = await run('0');
  const pidfile = openPidfile(folder);
  for (const { child } of [obeying, deaf]) pidfile.add(child.pid as number);
  // The number of an ended process, which belongs to another process now.
  writeFileSync(join(folder, String(stranger.child.pid)), `${stranger.child.pid} long/ago\n`);
  const lines: string[] = [];
  await endStaleProcesses(folder, (line) => lines.push(line));
  t.strictSame(lines, ['stopping 2 processes that a killed start has left behind']);
  t.strictSame(await obeying.exited, [null, 'SIGTERM']);
  t.strictSame(await deaf.exited, [null, 'SIGKILL']);
  t.equal(stranger.child.exitCode ?? stranger.child.signalCode, null, 'a process that reuses a pid is not signalled');
  t.strictSame(readdirSync(folder), []);
  stranger.child.kill('SIGKILL');
  await stranger.exited;
});

t.test('after a clean stop there are no stale processes', async (t) => {
  const folder = t.testdir();
  const pidfile = await endStaleProcesses(join(folder, 'processes'), () => t.fail('no process is reported'));
  pidfile.add(process.pid);
  pidfile.remove(process.pid);
  t.strictSame((await endStaleProcesses(join(folder, 'processes'), () => t.fail('no process is reported'))).staleProcesses(), []);
});
