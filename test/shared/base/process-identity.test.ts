import { spawn } from 'node:child_process';
import { once } from 'node:events';
import t from 'tap';
import { formatIdentity, identify, isAlive, parseIdentity, signalProcess } from '../../../shared/base/process-identity.js';

t.test('a running process is the same each time it is looked at, and survives the way through a file', async (t) => {
  const self = identify(process.pid);
  t.ok(self);
  if (self === null) return;
  t.same(identify(process.pid), self);
  t.same(parseIdentity(formatIdentity(self)), self);
  t.equal(isAlive(self), true);
});

t.test('an ended process has no identity, not even before its parent has taken notice', async (t) => {
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

t.test('another process with the same pid is not mistaken for the old one, and not signalled', async (t) => {
  const self = identify(process.pid);
  if (self === null) return t.fail('this process has no identity');
  const earlier = { pid: self.pid, started: `${self.started}0` };
  t.equal(isAlive(earlier), false);
  t.equal(signalProcess(earlier, 'SIGKILL'), false, 'or this test would have ended here');
});

for (const text of ['', '12', 'x y', '0 a', '-1 a', '1.5 a', '12 a b', '99999999999 a', '12 '])
  t.test(`${JSON.stringify(text)} names nobody`, async (t) => {
    t.equal(parseIdentity(text), null);
  });
