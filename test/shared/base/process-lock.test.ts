import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t, { type Test } from 'tap';
import { takeLock } from '../../../shared/base/process-lock.js';

const HOLDER = fileURLToPath(new URL('../../fixtures/supervisor/lock-holder.js', import.meta.url));

/** Starts a process that tries to take the lock when it receives a message. */
async function startOther(t: Test, file: string): Promise<ChildProcess> {
  const child = fork(HOLDER, [file]);
  t.teardown(() => child.kill('SIGKILL'));
  await once(child, 'message');
  return child;
}

/** Has the process take the lock. Returns the outcome. */
async function takeIn(child: ChildProcess): Promise<string> {
  child.send('take');
  const [outcome] = (await once(child, 'message')) as [string];
  return outcome;
}

t.test('a lock is held by one process until it is released', async (t) => {
  const file = join(t.testdir(), 'engine', 'lock');
  const lock = takeLock(file);
  t.equal(lock.outcome, 'held');
  const other = await startOther(t, file);
  t.equal(await takeIn(other), `taken by ${process.pid}`);
  if (lock.outcome === 'held') lock.release();
  t.equal(existsSync(file), false);
  t.equal(await takeIn(other), 'held');
});

t.test('the lock of a killed process is taken over', async (t) => {
  const file = join(t.testdir(), 'lock');
  const child = await startOther(t, file);
  t.equal(await takeIn(child), 'held');
  child.kill('SIGKILL');
  await once(child, 'exit');
  t.match(readFileSync(file, 'utf8'), new RegExp(`^${child.pid} `), 'the killed process could not release it');
  t.equal(takeLock(file).outcome, 'held');
});

t.test('a lock is taken over if its pid now belongs to another process', async (t) => {
  const file = join(t.testdir(), 'lock');
  writeFileSync(file, `${process.ppid} another-boot/1\n`);
  t.equal(takeLock(file).outcome, 'held');
});

for (const text of ['', 'garbage', '1'])
  t.test(`a lock with the content ${JSON.stringify(text)} counts as free`, async (t) => {
    const file = join(t.testdir(), 'lock');
    writeFileSync(file, text);
    t.equal(takeLock(file).outcome, 'held');
  });

t.test('a release does not remove the lock of a successor', async (t) => {
  const file = join(t.testdir(), 'lock');
  const lock = takeLock(file);
  writeFileSync(file, 'another process\n');
  if (lock.outcome === 'held') lock.release();
  t.equal(readFileSync(file, 'utf8'), 'another process\n');
});

t.test('a takeover of a stale lock that was cut off by a kill is finished by the next process', async (t) => {
  const dir = t.testdir();
  const file = join(dir, 'lock');
  for (const name of ['lock', 'lock.takeover', 'lock.takeover.takeover']) writeFileSync(join(dir, name), `${process.pid} another-boot/1\n`);
  t.equal(takeLock(file).outcome, 'held');
  t.same(readdirSync(dir), ['lock']);
});

t.test('a stale lock is left to a process that is already taking it over', async (t) => {
  const file = join(t.testdir(), 'lock');
  const other = await startOther(t, `${file}.takeover`);
  t.equal(await takeIn(other), 'held');
  writeFileSync(file, `${process.pid} another-boot/1\n`);
  t.match(takeLock(file), { outcome: 'taken', by: { pid: other.pid } });
  other.kill('SIGKILL');
  await once(other, 'exit');
  t.equal(takeLock(file).outcome, 'held');
});

t.test('of many processes that find a stale lock at once, exactly one gets it', async (t) => {
  const dir = t.testdir();
  const file = join(dir, 'lock');
  const others = await Promise.all(Array.from({ length: 6 }, () => startOther(t, file)));
  for (let round = 0; round < 200; round++) {
    writeFileSync(file, `${process.pid} another-boot/1\n`);
    const outcomes = await Promise.all(others.map(takeIn));
    t.equal(outcomes.filter((outcome) => outcome === 'held').length, 1, `round ${round}: ${outcomes}`);
    t.same(readdirSync(dir), ['lock'], 'no other file is left');
  }
});
