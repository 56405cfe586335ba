import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { takeLock } from '../../../engine/supervisor/instance-lock.js';

const HOLDER = fileURLToPath(new URL('../../fixtures/supervisor/lock-holder.js', import.meta.url));

/** Starts a process that tries to take the lock and says what came of it. */
async function otherProcess(file: string) {
  const child = fork(HOLDER, [file]);
  const [outcome] = (await once(child, 'message')) as [string];
  return { child, outcome };
}

t.test('a lock is held by one process, until it is released', async (t) => {
  const file = join(t.testdir(), 'engine', 'lock');
  const lock = takeLock(file);
  t.equal(lock.outcome, 'held');
  const other = await otherProcess(file);
  t.equal(other.outcome, `taken by ${process.pid}`);
  if (lock.outcome === 'held') lock.release();
  t.equal(existsSync(file), false);
  const third = await otherProcess(file);
  t.equal(third.outcome, 'held');
  third.child.kill('SIGKILL');
  await once(third.child, 'exit');
});

t.test('the lock of a killed process is taken over', async (t) => {
  const file = join(t.testdir(), 'lock');
  const { child, outcome } = await otherProcess(file);
  t.equal(outcome, 'held');
  child.kill('SIGKILL');
  await once(child, 'exit');
  t.match(readFileSync(file, 'utf8'), new RegExp(`^${child.pid} `), 'it could not release it');
  t.equal(takeLock(file).outcome, 'held');
});

t.test('the lock of a process whose pid was given to another one is taken over', async (t) => {
  const file = join(t.testdir(), 'lock');
  writeFileSync(file, `${process.ppid} another-boot/1\n`);
  t.equal(takeLock(file).outcome, 'held');
});

for (const text of ['', 'garbage', '1'])
  t.test(`a lock that holds ${JSON.stringify(text)} is nobody's`, async (t) => {
    const file = join(t.testdir(), 'lock');
    writeFileSync(file, text);
    t.equal(takeLock(file).outcome, 'held');
  });

t.test('a release leaves the lock of a successor alone', async (t) => {
  const file = join(t.testdir(), 'lock');
  const lock = takeLock(file);
  writeFileSync(file, 'another process\n');
  if (lock.outcome === 'held') lock.release();
  t.equal(readFileSync(file, 'utf8'), 'another process\n');
});

t.test('of many processes that find a stale lock at once, one gets it', async (t) => {
  const dir = t.testdir();
  const file = join(dir, 'lock');
  for (let round = 0; round < 3; round++) {
    writeFileSync(file, `${process.pid} another-boot/1\n`);
    const others = await Promise.all(Array.from({ length: 8 }, () => otherProcess(file)));
    t.equal(others.filter(({ outcome }) => outcome === 'held').length, 1, `round ${round}`);
    await Promise.all(
      others.map(({ child }) => {
        if (child.exitCode !== null) return null;
        child.kill('SIGKILL');
        return once(child, 'exit');
      }),
    );
    t.same(readdirSync(dir), ['lock'], 'nothing is left lying around');
  }
});
