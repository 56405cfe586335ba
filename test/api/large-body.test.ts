import { once } from 'node:events';
import { connect } from 'node:net';
import { promisify } from 'node:util';
import t from 'tap';
import { startApiServer } from './api-server.js';

const api = await startApiServer(t);

/** Far more than the buffers of both sockets hold, so that the answer arrives long before the body has been sent. */
const BODY = Buffer.alloc(20 * 1024 * 1024, ' ');
const HEAD = `POST /v1/links HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${api.liveKey}\r\nContent-Type: application/json\r\n`;
const NEXT = 'GET /v1/openapi.json HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';

for (const [what, framing, body] of [
  ['that says its length', `Content-Length: ${BODY.length}`, BODY],
  [
    'that does not say its length',
    'Transfer-Encoding: chunked',
    Buffer.concat([Buffer.from(`${BODY.length.toString(16)}\r\n`), BODY, Buffer.from('\r\n0\r\n\r\n')]),
  ],
] as const)
  t.test(`a client that sends all of a body ${what} before it reads finds the 413, and can go on`, async (t) => {
    const socket = connect(api.port, '127.0.0.1').setEncoding('utf8').pause();
    t.teardown(() => socket.destroy());
    const write = promisify((data: string | Buffer, done: (error?: Error | null) => void) => socket.write(data, done));
    await write(`${HEAD}${framing}\r\n\r\n`);
    await write(body);
    await write(NEXT);
    let received = '';
    socket.on('data', (text: string) => {
      received += text;
    });
    socket.resume();
    await once(socket, 'end');
    t.match(received, /^HTTP\/1\.1 413 /);
    t.match(received, /"code":"payload_too_large"/);
    t.match(received, /HTTP\/1\.1 200 OK/);
  });
