import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { connect, createServer } from 'node:net';
import t from 'tap';
import { beginLastHandshakes, listeningDescriptors } from '../../../engine/http/last-handshakes.js';

const skip =
  process.platform !== 'linux'
    ? 'a matter of Linux'
    : readFileSync('/proc/sys/net/ipv4/tcp_migrate_req', 'utf8').trim() === '1'
      ? 'this kernel migrates connections by itself'
      : false;

t.test('a socket that is about to close takes what is under way and nothing new', { skip }, async (t) => {
  const accepted: string[] = [];
  const server = createServer((socket) => {
    socket.on('data', (data) => accepted.push(data.toString()));
    socket.on('error', () => {});
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const before = connect(port, '127.0.0.1');
  await once(before, 'connect');

  const { waitMs, reason } = beginLastHandshakes(listeningDescriptors(port));
  t.equal(reason, '');
  t.ok(waitMs > 0);

  before.write('still heard');
  const late = connect(port, '127.0.0.1');
  let connected = false;
  late.on('connect', () => {
    connected = true;
  });
  await new Promise((resolve) => setTimeout(resolve, waitMs));
  t.same(accepted, ['still heard'], 'an open connection is not touched');
  t.equal(connected, false, 'its first segment was dropped, not refused');
  late.destroy();
  before.destroy();
  server.close();
  await once(server, 'close');
});

t.test('a port on which this process does not listen has nothing to prepare', { skip }, async (t) => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  t.same(beginLastHandshakes(listeningDescriptors(port)), { waitMs: 0, reason: 'the listening socket was not found' });
});
