import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { connect, createServer } from 'node:net';
import t from 'tap';
import { beginLastHandshakes, listeningDescriptors } from '../../../engine/http/last-handshakes.js';
import { bindCLibrary } from '../../../shared/base/c-library.js';
import { until } from '../../support/until.js';

const skip =
  process.platform !== 'linux'
    ? 'a matter of Linux'
    : readFileSync('/proc/sys/net/ipv4/tcp_migrate_req', 'utf8').trim() === '1'
      ? 'this kernel migrates connections by itself'
      : false;

t.test('a socket that is about to close serves open connections and accepts no new ones', { skip }, async (t) => {
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

  const { waitMs, reason, end } = beginLastHandshakes(listeningDescriptors(port));
  t.equal(reason, '');
  t.ok(waitMs > 0);

  before.write('still heard');
  const late = connect(port, '127.0.0.1');
  let connected = false;
  late.on('connect', () => {
    connected = true;
  });
  await new Promise((resolve) => setTimeout(resolve, waitMs));
  t.same(accepted, ['still heard'], 'an open connection still works');
  t.equal(connected, false, 'its first segment was dropped, not refused');
  end();
  late.destroy();
  before.destroy();
  server.close();
  await once(server, 'close');
});

t.test('a connection whose handshake ends during the close is served', { skip }, async (t) => {
  const accepted: string[] = [];
  const server = createServer((socket) => socket.on('data', (data) => accepted.push(data.toString())));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const { waitMs, end } = beginLastHandshakes(listeningDescriptors(port));

  // The TTL of 255 lets the handshake through, as if it had begun earlier. What the client sends afterwards has a normal TTL.
  const client = connectWithTtl(port, 255);
  client.setTtl(64);
  client.send('heard');
  await new Promise((resolve) => setTimeout(resolve, waitMs));
  t.same(accepted, [], 'the connection has inherited the option of the listening socket');
  end();
  server.close();
  await until(() => accepted.length > 0, 'the client to send its data again');
  t.same(accepted, ['heard']);
  client.close();
  await once(server, 'close');
});

t.test('when two ports close at once, finishing one does not open the other again', { skip }, async (t) => {
  const servers = [createServer(), createServer()];
  const ports = await Promise.all(
    servers.map(async (server) => {
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      return (server.address() as AddressInfo).port;
    }),
  );
  const [first, second] = ports.map((port) => beginLastHandshakes(listeningDescriptors(port)));
  first?.end();
  const late = connect(ports[1] as number, '127.0.0.1');
  let connected = false;
  late.on('connect', () => {
    connected = true;
  });
  await new Promise((resolve) => setTimeout(resolve, second?.waitMs));
  t.equal(connected, false);
  second?.end();
  late.destroy();
  for (const server of servers) server.close();
  await Promise.all(servers.map((server) => once(server, 'close')));
});

t.test('a port on which this process does not listen needs no preparation', { skip }, async (t) => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  t.match(beginLastHandshakes(listeningDescriptors(port)), { waitMs: 0, reason: 'the listening socket was not found' });
});

/** A connection to the port on loopback, made with the C library because `node:net` cannot set the TTL. */
function connectWithTtl(port: number, ttl: number) {
  const bound = bindCLibrary((library) => ({
    socket: library.func('int socket(int family, int type, int protocol)'),
    setsockopt: library.func('int setsockopt(int fd, int level, int name, const void *value, uint32_t length)'),
    connect: library.func('int connect(int fd, const void *address, uint32_t length)'),
    send: library.func('long send(int fd, const void *data, size_t length, int flags)'),
    close: library.func('int close(int fd)'),
  }));
  if (!bound.available) throw new Error(bound.reason);
  const calls = bound.functions;
  const check = (result: number) => {
    if (result < 0) throw new Error('a call of the C library failed');
    return result;
  };
  const descriptor = check(calls.socket(2, 1, 0));
  const setTtl = (value: number) => {
    const integer = Buffer.alloc(4);
    integer.writeInt32LE(value);
    check(calls.setsockopt(descriptor, 0, 2, integer, integer.length)); // IPPROTO_IP, IP_TTL
  };
  setTtl(ttl);
  const address = Buffer.from([2, 0, 0, 0, 127, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0]); // struct sockaddr_in
  address.writeUInt16BE(port, 2);
  check(calls.connect(descriptor, address, address.length));
  return {
    setTtl,
    send: (text: string) => void check(calls.send(descriptor, Buffer.from(text), text.length, 0)),
    close: () => void check(calls.close(descriptor)),
  };
}
