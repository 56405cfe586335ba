import { spawn } from 'node:child_process';
import { once } from 'node:events';
import t from 'tap';
import { endProcess, inspectProcess } from '../../../deploy/local/process-command.js';

async function run(script: string) {
  const child = spawn(process.execPath, ['-e', `${script}; console.log('up'); setInterval(() => {}, 1000)`, 'a word'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return child;
}

t.test('the command words and the user of a running process are read, and an ended one gives null', async (t) => {
  const child = await run('0');
  const seen = inspectProcess(child.pid as number);
  t.equal(seen?.command[0], process.execPath);
  t.equal(seen?.command.at(-1), 'a word');
  t.equal(seen?.uid, process.getuid?.());
  child.kill('SIGKILL');
  await once(child, 'exit');
  t.equal(inspectProcess(child.pid as number), null);
});

t.test('signals are sent one after the other until the process ends', async (t) => {
  const child = await run("process.on('SIGTERM', () => {})");
  const identity = inspectProcess(child.pid as number);
  t.ok(identity);
  if (identity === null) return;
  t.equal(await endProcess(identity, [{ signal: 'SIGTERM', waitMs: 100 }]), false);
  const exited = once(child, 'exit');
  t.equal(
    await endProcess(identity, [
      { signal: 'SIGTERM', waitMs: 50 },
      { signal: 'SIGKILL', waitMs: 5000 },
    ]),
    true,
  );
  t.strictSame(await exited, [null, 'SIGKILL']);
  t.equal(await endProcess(identity, [{ signal: 'SIGTERM', waitMs: 100 }]), true, 'an ended process counts as ended');
});

t.test('another process with the same pid is not signalled', async (t) => {
  const child = await run('0');
  t.equal(await endProcess({ pid: child.pid as number, started: 'another moment' }, [{ signal: 'SIGKILL', waitMs: 100 }]), true);
  t.equal(child.exitCode ?? child.signalCode, null);
  t.ok(inspectProcess(child.pid as number));
  child.kill('SIGKILL');
  await once(child, 'exit');
});
