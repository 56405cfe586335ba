import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

// The least that node:http can do: the same constant answer as that of the bare uWebSockets.js.
const server = createServer((_request, response) => {
  response.writeHead(302, { Location: 'https://destination.example/item/0123456', 'Cache-Control': 'private, no-store' });
  response.end();
});
server.keepAliveTimeout = 0;
server.listen(0, '127.0.0.1', () => process.send?.({ type: 'ready', port: (server.address() as AddressInfo).port }));
process.on('disconnect', () => process.exit(0));
