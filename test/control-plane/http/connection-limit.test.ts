import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { pino } from 'pino';
import t, { type Test } from 'tap';
import { limitConnections } from '../../../control-plane/http/connection-limit.js';
import { CONNECTIONS_OF_ADDRESS_MAX } from '../../../shared/base/limits.js';
import { AddressRanges } from '../../../shared/net/address-ranges.js';
import type { ProxyTrust } from '../../../shared/net/client-address.js';

const REQUEST = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
const NOBODY: ProxyTrust = { hops: 0, proxies: null };

async function start(t: Test, trust: ProxyTrust) {
  const lines: string[] = [];
  const server = createServer((_request, response) => response.end('ok'));
  limitConnections(server, trust, pino({}, { write: (line: string) => void lines.push(line) }));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const sockets: Socket[] = [];
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  /** Whether a request over a new connection is answered. The connection stays open. */
  const asks = async (): Promise<boolean> => {
    const socket = connect(port, '127.0.0.1');
    sockets.push(socket);
    socket.on('error', () => {});
    socket.write(REQUEST);
    return Promise.race([once(socket, 'data').then(() => true), once(socket, 'close').then(() => false)]);
  };
  return { lines, sockets, asks };
}

async function answered(asks: () => Promise<boolean>, times: number): Promise<number> {
  let count = 0;
  for (let time = 0; time < times; time++) count += Number(await asks());
  return count;
}

t.test('an address may have a limited number of connections, and a new one as soon as one ends', async (t) => {
  const { asks, sockets, lines } = await start(t, NOBODY);
  t.equal(await answered(asks, CONNECTIONS_OF_ADDRESS_MAX), CONNECTIONS_OF_ADDRESS_MAX);
  t.equal(await answered(asks, 3), 0, 'connections above the limit are refused');
  t.same(
    lines.map((line) => JSON.parse(line).code),
    ['connections_refused'],
    'the refusals are logged once',
  );
  const [first] = sockets as [Socket];
  first.destroy();
  // The server sees the end of this connection before it sees connections that are made later.
  await once(first, 'close');
  t.equal(await answered(asks, 2), 1);
});

for (const [title, trust, limited] of [
  ['peers that are proxies by their number alone are not counted', { hops: 1, proxies: null }, false],
  ['peers in the networks of proxies are not counted', { hops: 0, proxies: AddressRanges.parse(['127.0.0.0/8']) }, false],
  ['others are, also where a number of proxies is set', { hops: 1, proxies: AddressRanges.parse(['192.0.2.0/24']) }, true],
] as const)
  t.test(title, async (t) => {
    const { asks } = await start(t, trust);
    t.equal(await answered(asks, CONNECTIONS_OF_ADDRESS_MAX + 1), CONNECTIONS_OF_ADDRESS_MAX + (limited ? 0 : 1));
  });
