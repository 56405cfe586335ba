import { spawn } from 'node:child_process';
import { once } from 'node:events';
import t from 'tap';
import { formatIdentity, identify, isAlive, parseIdentity, signalProcess } from '../../../shared/base/process-identity.js';

t.test('the identity of a running process is stable, and can be written to a file and read back', async (t) => {
  const self = identify(process.pid);
  t.ok(self);
  if (self === null) return;
  t.same(identify(process.pid), self);
  t.same(parseIdentity(formatIdentity(self)), self);
  t.equal(isAlive(self), true);
});

t.test('an ended process has no identity, even if its parent has not noticed its end yet', async (t) => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  await once(child, 'spawn');
  const identity = identify(child.pid as number);
  t.ok(identity);
  if (identity === null) return;
  t.equal(signalProcess(identity, 'SIGKILL'), true);
  await once(child, 'exit');
  t.equal(isAlive(identity), false);
  t.equal(identify(identity.pid), null);
  t.equal(signalProcess(identity, 'SIGKILL'), false);
});

t.test('another process with the same pid is not taken for the old one, and gets no signal', async (t) => {
  const self = identify(process.pid);
  if (self === null) return t.fail('this process has no identity');
  const earlier = { pid: self.pid, started: `${self.started}0` };
  t.equal(isAlive(earlier), false);
  t.equal(signalProcess(earlier, 'SIGKILL'), false, 'otherwise the signal would have ended this test');
});

for (const text of ['', '12', 'x y', '0 a', '-1 a', '1.5 a', '12 a b', '99999999999 a', '12 '])
  t.test(`${JSON.stringify(text)} is no identity`, async (t) => {
    t.equal(parseIdentity(text), null);
  });
