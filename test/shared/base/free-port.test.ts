import { once } from 'node:events';
import { createServer } from 'node:net';
import t from 'tap';
import { tryPort } from '../../../shared/base/free-port.js';

t.test('port 0 gives a free port that no outgoing connection is given', async (t) => {
  const binding = await tryPort('127.0.0.1', 0);
  t.equal(binding.taken, false);
  if (binding.taken) return;
  t.ok(binding.port > 1023 && binding.port < 32_768, String(binding.port));
  t.same(await tryPort('127.0.0.1', binding.port), binding, 'the port is released again');
});

t.test('a port in use is reported as taken, with the reason', async (t) => {
  const server = createServer().listen(0, '127.0.0.1');
  t.teardown(() => server.close());
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') return t.fail('the server has no port');
  t.same(await tryPort('127.0.0.1', address.port), { taken: true, reason: 'EADDRINUSE' });
});

t.test('an address of another machine is reported as taken as well', async (t) => {
  t.same(await tryPort('192.0.2.1', 0), { taken: true, reason: 'EADDRNOTAVAIL' });
});
