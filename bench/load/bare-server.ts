import { App, us_socket_local_port } from 'uWebSockets.js';

// The least that uWebSockets.js can do: one constant answer of the size of a redirect, nothing looked up or stored.
App()
  .any('/*', (response) => {
    response
      .writeStatus('302 Found')
      .writeHeader('Location', 'https://destination.example/item/0123456')
      .writeHeader('Cache-Control', 'private, no-store')
      .end();
  })
  .listen('127.0.0.1', 0, (socket) => {
    if (!socket) throw new Error('no port could be had');
    process.send?.({ type: 'ready', port: us_socket_local_port(socket) });
  });
process.on('disconnect', () => process.exit(0));
