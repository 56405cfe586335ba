import { once } from 'node:events';
import { connect } from 'node:net';
import { promisify } from 'node:util';
import t from 'tap';
import { BODY_VALUES_MAX } from '../../shared/base/body-limits.js';
import { send } from './api-client.js';
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

t.test(
  'a body with more values than any operation takes is refused before it is parsed, and a long text or a small body is not',
  async (t) => {
    const ask = async (operation: string, body: unknown) => {
      const { status, json } = await send(api.baseUrl, operation, { key: api.liveKey, rawBody: JSON.stringify(body) });
      return { status, code: json.code, detail: json.detail };
    };
    const refused = { status: 413, code: 'payload_too_large', detail: new RegExp(`more than ${BODY_VALUES_MAX} values`) };
    const members = Object.fromEntries(Array.from({ length: BODY_VALUES_MAX }, (_, index) => [`k${index}`, index]));
    t.match(await ask('POST /events', { name: 'a', properties: members }), refused);
    t.match(await ask('POST /links', members), refused);
    t.match(await ask('POST /links', { tags: Object.keys(members) }), refused);
    t.match(await ask('POST /events', { name: 'a', properties: { text: ',[{'.repeat(100_000) } }), { status: 422 });
    t.match(await ask('POST /links', { tags: Array(BODY_VALUES_MAX + 1).fill(1) }), { status: 422 }, 'the body is small');
    const links = Array.from({ length: 1000 }, () => ({ utm_source: 'a', utm_medium: 'b', utm_term: 'c', utm_content: 'd', title: 'e' }));
    t.match(await ask('POST /links/bulk', { dry_run: true, links }), { status: 200 }, 'bulk calls have as many values as they need');
  },
);
