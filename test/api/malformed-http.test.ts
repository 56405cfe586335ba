import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import t from 'tap';
import { startApiServer } from './api-server.js';

const api = await startApiServer(t);

interface RawAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

/** Sends the texts as they are, each as soon as a pause has passed, and returns what is received until the server closes the connection. */
async function exchange(texts: readonly string[], pauseMs = 0): Promise<string> {
  const socket = connect(api.port, '127.0.0.1');
  let received = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    received += chunk;
  });
  const closed = once(socket, 'close');
  for (const [index, text] of texts.entries()) {
    if (index > 0) await setTimeout(pauseMs);
    socket.write(text);
  }
  await closed;
  return received;
}

/** Sends the text as it is, and reads the one answer. */
async function send(text: string): Promise<RawAnswer> {
  const received = await exchange([text]);
  const [head = '', body = ''] = received.split('\r\n\r\n', 2);
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = new Headers(lines.map((line) => line.split(': ', 2) as [string, string]));
  return { status: Number(statusLine.split(' ')[1]), headers, body };
}

const authorized = `Authorization: Bearer ${api.liveKey}\r\nConnection: close`;

for (const [what, text] of [
  ['what is not HTTP', 'hello\r\n\r\n'],
  ['a header without a colon', 'GET /v1/links HTTP/1.1\r\nHost: a\r\nnonsense\r\n\r\n'],
  ['headers that are too large', `GET /v1/links HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`],
  ['two lengths of one body', 'POST /v1/links HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
  ['a missing Host', `GET /v1/links HTTP/1.1\r\n${authorized}\r\n\r\n`],
  ['a second Host', `GET /v1/links HTTP/1.1\r\nHost: a\r\nHost: a\r\n${authorized}\r\n\r\n`],
  ['a Host with a path', `GET /v1/links HTTP/1.1\r\nHost: a/b\r\n${authorized}\r\n\r\n`],
  ['a missing Host, on no route', 'GET /nowhere HTTP/1.1\r\nConnection: close\r\n\r\n'],
] as const)
  t.test(`${what} is 400 bad_request, as a problem with a request id`, async (t) => {
    const { status, headers, body } = await send(text);
    t.equal(status, 400);
    t.equal(headers.get('content-type'), 'application/problem+json');
    const requestId = headers.get('x-request-id');
    t.ok(requestId);
    t.match(JSON.parse(body), { code: 'bad_request', status: 400, instance: `urn:request:${requestId}` });
  });

for (const [what, text, detail] of [
  ['what is not HTTP', 'hello\r\n\r\n', 'The request is not valid HTTP.'],
  [
    'an address that is too long',
    `GET /v1/links?search=${'x'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`,
    'The address and the headers of the request together have more than 16 KiB.',
  ],
] as const)
  t.test(`the answer to ${what} says what is wrong`, async (t) => {
    t.equal(JSON.parse((await send(text)).body).detail, detail);
  });

t.test('CONNECT is answered like every other unsupported method', async (t) => {
  for (const target of ['/v1/links', 'links.example:443']) {
    const { status, headers, body } = await send(`CONNECT ${target} HTTP/1.1\r\nHost: a\r\n\r\n`);
    t.equal(status, 405);
    t.match(headers.get('allow'), /GET.*POST/);
    t.match(JSON.parse(body), { code: 'method_not_allowed', instance: `urn:request:${headers.get('x-request-id')}` });
  }
});

t.test('a client that resets its connection ends nothing else', async (t) => {
  const heads = [
    'CONNECT a:443 HTTP/1.1',
    'GET / HTTP/1.1\r\nConnection: upgrade\r\nUpgrade: websocket',
    'POST /v1/links HTTP/1.1\r\nExpect: a',
    'GET',
  ];
  for (const head of heads)
    for (const [waitMs, more] of [
      [0, ''],
      [3, ''],
      [10, 'x'.repeat(100_000)],
    ] as const) {
      const socket = connect(api.port, '127.0.0.1');
      socket.on('error', () => undefined);
      await once(socket, 'connect');
      socket.write(`${head}\r\nHost: a\r\n\r\n${more}`);
      await setTimeout(waitMs);
      socket.resetAndDestroy();
    }
  // An error that nobody listens to would end the process, and this test with it.
  t.equal((await send(`GET /v1/links HTTP/1.1\r\nHost: a\r\n${authorized}\r\n\r\n`)).status, 200);
});

t.test('a body in a transfer coding other than chunked is 415', async (t) => {
  const head = `POST /v1/links HTTP/1.1\r\nHost: a\r\n${authorized}\r\nContent-Type: application/json`;
  for (const [coding, status] of [
    ['chunked', 201],
    ['Chunked', 201],
    ['gzip, chunked', 415],
  ] as const)
    t.equal((await send(`${head}\r\nTransfer-Encoding: ${coding}\r\n\r\n2\r\n{}\r\n0\r\n\r\n`)).status, status, coding);
});

t.test('a POST without a body is one, whatever type it names', async (t) => {
  for (const lines of ['Content-Length: 0', 'Content-Length: 0\r\nContent-Encoding: gzip', 'X: y'])
    for (const type of ['application/x-www-form-urlencoded', 'text/plain;charset=latin1', 'application/json', 'nonsense']) {
      const answer = await send(`POST /v1/links HTTP/1.1\r\nHost: a\r\n${authorized}\r\nContent-Type: ${type}\r\n${lines}\r\n\r\n`);
      t.equal(answer.status, 422, type);
      t.match(JSON.parse(answer.body), { errors: [{ pointer: '', code: 'required' }] });
    }
});

t.test('valid JSON with a member that would reach a prototype is refused at the member', async (t) => {
  const body = '{"data":{"__proto__":1}}';
  const head = `POST /v1/links HTTP/1.1\r\nHost: a\r\n${authorized}\r\nContent-Type: application/json`;
  const answer = await send(`${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
  t.match(JSON.parse(answer.body), { code: 'validation_failed', errors: [{ pointer: '/data/__proto__', code: 'reserved' }] });
});

t.test('HTTP/1.0 knows no Host and is served without one', async (t) => {
  t.equal((await send(`GET /v1/links HTTP/1.0\r\n${authorized}\r\n\r\n`)).status, 200);
});

t.test('an expectation that the server does not know is passed over', async (t) => {
  const body = '{"path":"expected"}';
  const head = `POST /v1/links HTTP/1.1\r\nHost: a\r\n${authorized}\r\nContent-Type: application/json`;
  const answer = await send(`${head}\r\nExpect: a-miracle\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
  t.equal(answer.status, 201);
  t.match(JSON.parse(answer.body), { path: 'expected' });
});

t.test('a request is answered as such, whatever comes behind it', async (t) => {
  const head = `Host: a\r\nAuthorization: Bearer ${api.liveKey}\r\n`;
  const create = (path: string, more = '') =>
    `POST /v1/links HTTP/1.1\r\n${head}${more}Content-Type: application/json\r\nContent-Length: ${path.length + 11}\r\n\r\n{"path":"${path}"}`;
  const statusesOf = (received: string) => Array.from(received.matchAll(/HTTP\/1\.1 (\d{3})/g), ([, status]) => Number(status));
  const nonsense = '}\r\n\r\n';
  const malformedBody = `POST /v1/links HTTP/1.1\r\n${head}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nnonsense\r\n`;
  for (const [what, texts, statuses] of [
    ['nonsense in one packet with it', [create('behind-1') + nonsense], [201, 400]],
    ['nonsense in a packet of its own', [create('behind-2'), nonsense], [201, 400]],
    ['nonsense twice', [create('behind-3'), nonsense, nonsense], [201, 400]],
    ['nonsense behind two requests', [create('behind-4') + create('behind-5') + nonsense], [201, 201, 400]],
    ['a head that is too large', [`${create('behind-6')}GET /v1/links HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`], [201, 400]],
    ['a request with a malformed body', [create('behind-7') + malformedBody], [201, 400]],
    ['nonsense behind an expectation', [create('behind-8', 'Expect: a-miracle\r\n') + nonsense], [201, 400]],
    ['CONNECT', [`${create('behind-9')}CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n`], [201, 405]],
    ['a malformed body of its own', [malformedBody], [400]],
  ] as const) {
    t.same(statusesOf(await exchange(texts)), statuses, what);
  }
  for (let number = 1; number <= 9; number++)
    t.equal((await send(`${create(`behind-${number}`, 'Connection: close\r\n')}`)).status, 409, `the link ${number} was created`);
});
