import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import t from 'tap';
import { choosePorts, originOf, shownOriginOf } from '../../../deploy/local/ports.js';

const free = (setting: string) => ({ setting, host: '127.0.0.1', port: 0 });

async function takenPort(t: { teardown(fn: () => void): void }) {
  const server = createServer().listen(0, '127.0.0.1');
  t.teardown(() => server.close());
  await once(server, 'listening');
  return { server, port: (server.address() as AddressInfo).port };
}

t.test('port 0 chooses a different free port for each setting, and the chosen ports stay free', async (t) => {
  const first = await choosePorts({ a: free('A_PORT'), b: free('B_PORT'), c: free('C_PORT') }, 0);
  t.equal(new Set(Object.values(first)).size, 3);
  const again = { a: { ...free('A_PORT'), port: first.a }, b: { ...free('B_PORT'), port: first.b } };
  t.strictSame(await choosePorts(again, 0), { a: first.a, b: first.b });
});

t.test('a port in use is reported with its setting in one line', async (t) => {
  const { port } = await takenPort(t);
  await t.rejects(choosePorts({ a: free('A_PORT'), b: { ...free('B_PORT'), port } }, 0), {
    name: 'StartError',
    message: `B_PORT ${port} on 127.0.0.1 is used by another process; stop that process or set another port`,
  });
});

t.test('one port for two settings is reported with both', async (t) => {
  const { a } = await choosePorts({ a: free('A_PORT') }, 0);
  const both = { a: { ...free('A_PORT'), port: a }, b: { ...free('B_PORT'), port: a } };
  await t.rejects(choosePorts(both, 0), { message: `B_PORT and A_PORT are both ${a}` });
});

t.test('an address that this machine does not have is reported', async (t) => {
  await t.rejects(choosePorts({ a: { ...free('A_PORT'), host: '192.0.2.1' } }, 0), {
    message: /A_PORT 0 on 192\.0\.2\.1 is on an address that this machine does not have/,
  });
});

t.test('a port that a former start still holds is awaited', async (t) => {
  const { server, port } = await takenPort(t);
  setTimeout(() => server.close(), 200);
  t.strictSame(await choosePorts({ a: { ...free('A_PORT'), port } }, 5000), { a: port });
});

t.test('no port is chosen for a setting that is not used', async (t) => {
  t.match(await choosePorts({ a: free('A_PORT'), b: null }, 0), { b: 0 });
});

t.test('an origin names the address on which the host listens, and people read localhost for loopback', async (t) => {
  t.same(
    ['127.0.0.1', '::1', '0.0.0.0', '::', '192.0.2.7', '2001:db8::7', 'api.internal'].map((host) => [
      originOf(host, 3000),
      shownOriginOf(host, 3000),
    ]),
    [
      ['http://127.0.0.1:3000', 'http://localhost:3000'],
      ['http://[::1]:3000', 'http://localhost:3000'],
      ['http://localhost:3000', 'http://localhost:3000'],
      ['http://localhost:3000', 'http://localhost:3000'],
      ['http://192.0.2.7:3000', 'http://192.0.2.7:3000'],
      ['http://[2001:db8::7]:3000', 'http://[2001:db8::7]:3000'],
      ['http://api.internal:3000', 'http://api.internal:3000'],
    ],
  );
});
