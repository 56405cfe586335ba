import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { choosePorts } from '../../../deploy/local/ports.js';
import { SupervisedProcess } from '../../../deploy/local/supervise.js';
import { InvariantError } from '../../../shared/base/invariant.js';
import { identify, isAlive } from '../../../shared/base/process-identity.js';

/** Most of the time is spent waiting before processes are started again. */
t.jobs = 4;

const never = new AbortController().signal;

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10));
}

/** Supervises a process that runs the script, and answers `ready` when the script calls `serve()`. */
async function supervised(
  t: { testdir(content: Record<string, string>): string; teardown(fn: () => Promise<void>): void },
  script: string,
) {
  const { http } = await choosePorts({ http: { setting: 'PORT', host: '127.0.0.1', port: 0 } }, 0);
  const serve = `const serve = () => require('node:http').createServer((q, a) => a.end('ok')).listen(${http}, '127.0.0.1');`;
  const folder = t.testdir({ 'entry.cjs': `${serve}\n${script}` });
  const lines: string[] = [];
  const started: number[] = [];
  const ended: number[] = [];
  const part = new SupervisedProcess(
    { name: 'part', entry: join(folder, 'entry.cjs'), environment: process.env, readyUrl: `http://127.0.0.1:${http}/` },
    { log: (line) => lines.push(line), onStarted: (pid) => started.push(pid), onEnded: (pid) => ended.push(pid) },
  );
  t.teardown(() => part.stop(100));
  return { part, lines, started, ended, folder };
}

t.test('a process counts as ready once it answers, and is restarted after kill -9', async (t) => {
  const { part, lines, started, ended } = await supervised(t, 'serve()');
  part.start();
  await part.ready(never);
  const first = part.stats().pid as number;
  process.kill(first, 'SIGKILL');
  await until(() => part.stats().restarts === 1 && part.stats().pid !== null);
  await part.ready(never);
  t.not(part.stats().pid, first);
  t.match(lines, [/^the part stopped unexpectedly \(SIGKILL\); starting it again in \d+ ms$/]);
  await part.stop(5000);
  t.equal(started.length, 2);
  t.strictSame(ended, started, 'the end of every started process is reported');
});

t.test('a stop lets the process drain, and no restart follows it', async (t) => {
  const { part, folder } = await supervised(
    t,
    "process.on('SIGTERM', () => setTimeout(() => { require('node:fs').writeFileSync(__dirname + '/drained', 'yes'); process.exit(0); }, 200)); serve()",
  );
  part.start();
  await part.ready(never);
  await part.stop(5000);
  t.equal(readFileSync(join(folder, 'drained'), 'utf8'), 'yes');
  t.equal(part.stats().restarts, 0);

  const failing = await supervised(t, 'process.exit(3)');
  failing.part.start();
  await until(() => failing.part.stats().restarts > 0);
  await failing.part.stop(5000);
  const count = failing.started.length;
  await new Promise((resolve) => setTimeout(resolve, 600));
  t.equal(failing.started.length, count);
});

t.test('a process that does not drain in time is killed together with its children', async (t) => {
  const { part, lines, folder } = await supervised(
    t,
    `process.on('SIGTERM', () => {});
     const child = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
     require('node:fs').writeFileSync(__dirname + '/child', String(child.pid)); serve()`,
  );
  part.start();
  await part.ready(never);
  const child = identify(Number(readFileSync(join(folder, 'child'), 'utf8')));
  const began = performance.now();
  await part.stop(300);
  t.ok(performance.now() - began < 20_000);
  t.match(lines, ['the part did not stop in 0.3 s; killing it']);
  t.ok(child);
  if (child !== null) await until(() => !isAlive(child));
});

t.test('no child process runs after a stop', async (t) => {
  for (const life of ['setTimeout(() => {}, 300)', 'setInterval(() => {}, 1000)']) {
    const { part, folder } = await supervised(
      t,
      `const child = require('node:child_process').spawn(process.execPath, ['-e', "process.on('SIGTERM', () => {}); process.stdout.write('up'); ${life}"]);
       child.stdout.once('data', () => { require('node:fs').writeFileSync(__dirname + '/child', String(child.pid)); serve(); });`,
    );
    part.start();
    await part.ready(never);
    const child = identify(Number(readFileSync(join(folder, 'child'), 'utf8')));
    await part.stop(5000);
    t.ok(child);
    // The system may need a moment to carry out a kill.
    if (child !== null && life.includes('Interval')) await until(() => !isAlive(child));
    t.equal(child !== null && isAlive(child), false, life);
  }
});

t.test('a process that ends three times before it is ready ends the start', async (t) => {
  const { part } = await supervised(t, 'process.exit(3)');
  part.start();
  await t.rejects(part.ready(never), { name: 'StartError', message: /the part stopped 3 times before it was ready/ });
});

t.test('with time to recover, a process may end more than three times before it is ready', async (t) => {
  const { part, folder } = await supervised(t, "if (require('node:fs').existsSync(__dirname + '/free')) serve(); else process.exit(3)");
  part.start();
  const freed = until(() => part.stats().restarts >= 4).then(() => writeFileSync(join(folder, 'free'), ''));
  await part.ready(never, 60_000);
  await freed;
  await part.stop(5000);
});

t.test('a start that is being stopped does not wait for readiness', async (t) => {
  const { part } = await supervised(t, 'setInterval(() => {}, 1000)');
  part.start();
  const stop = new AbortController();
  setTimeout(() => stop.abort(), 100);
  await part.ready(stop.signal);
  await part.stop(1000);
  t.equal(part.stats().pid, null);
});

t.test('when the starting process is killed, its processes end by themselves', async (t) => {
  const folder = t.testdir({
    'entry.cjs': "process.on('SIGTERM', () => process.exit(0)); setInterval(() => {}, 1000); console.log('up ' + process.pid)",
  });
  const module = fileURLToPath(new URL('../../../deploy/local/supervise.js', import.meta.url));
  const script = `
    const { SupervisedProcess } = await import(${JSON.stringify(module)});
    const quiet = () => {};
    new SupervisedProcess({ name: 'part', entry: ${JSON.stringify(join(folder, 'entry.cjs'))}, environment: process.env, readyUrl: '' },
      { log: quiet, onStarted: quiet, onEnded: quiet }).start();`;
  const parent = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [said] = (await once(parent.stdout, 'data')) as [Buffer];
  const stale = identify(Number(/up (\d+)/.exec(said.toString())?.[1]));
  t.ok(stale);
  parent.kill('SIGKILL');
  await once(parent, 'exit');
  if (stale !== null) await until(() => !isAlive(stale));
});

t.test('a process whose parent is killed while it loads does not begin to work', async (t) => {
  const folder = t.testdir({
    'entry.cjs': "require('node:fs').writeFileSync(__dirname + '/began', ''); process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)",
  });
  const module = fileURLToPath(new URL('../../../deploy/local/supervise.js', import.meta.url));
  const script = `
    const { SupervisedProcess } = await import(${JSON.stringify(module)});
    const dieAtOnce = (pid) => { require('node:fs').writeSync(1, String(pid)); process.kill(process.pid, 'SIGKILL'); };
    const require = (await import('node:module')).createRequire(${JSON.stringify(module)});
    const outliveParent = 'while (String(process.ppid) === process.env.LOCAL_START_PID) await new Promise((resolve) => setTimeout(resolve, 5))';
    const environment = { ...process.env, NODE_OPTIONS: '--import=data:text/javascript,' + encodeURIComponent(outliveParent) };
    new SupervisedProcess({ name: 'part', entry: ${JSON.stringify(join(folder, 'entry.cjs'))}, environment, readyUrl: '' },
      { log() {}, onStarted: dieAtOnce, onEnded() {} }).start();`;
  const parent = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [said] = (await once(parent.stdout, 'data')) as [Buffer];
  const pid = Number(said.toString());
  t.ok(pid > 1);
  await until(() => identify(pid) === null);
  t.equal(existsSync(join(folder, 'began')), false);
});

t.test('a running process cannot be started a second time', async (t) => {
  const { part, started } = await supervised(t, 'serve()');
  part.start();
  t.throws(() => part.start(), new InvariantError("the part cannot go from 'running' to 'running'"));
  t.equal(started.length, 1);
});
