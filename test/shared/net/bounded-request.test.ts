import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import t, { type Test } from 'tap';
import { type BoundedRequest, OutboundClient, type OutboundClientOptions } from '../../../shared/net/bounded-request.js';
import { TLS_CERTIFICATE, TLS_KEY, TLS_NAME } from '../../support/tls.js';
import { until } from '../../support/until.js';

type Handler = (socket: Socket) => void;

const HEAD = 'HTTP/1.1 200 OK\r\n';

async function rawServer(t: Test, handler: Handler, tls = false): Promise<{ port: number; origin: string; connections: () => number }> {
  let connections = 0;
  const sockets = new Set<Socket>();
  const accept = (socket: Socket) => {
    connections++;
    sockets.add(socket);
    socket.on('error', () => {});
    handler(socket);
  };
  const server = tls ? createTlsServer({ key: TLS_KEY, cert: TLS_CERTIFICATE }, accept) : createServer(accept);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as { port: number };
  return { port, origin: tls ? `https://${TLS_NAME}:${port}` : `http://127.0.0.1:${port}`, connections: () => connections };
}

async function httpServer(t: Test, handler: RequestListener): Promise<string> {
  const server = createHttpServer(handler);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`;
}

function clientFor(t: Test, origin: string, options: Partial<OutboundClientOptions> = {}): OutboundClient {
  const client = new OutboundClient({ allow: [origin], systemResolver: async () => ['127.0.0.1'], ca: TLS_CERTIFICATE, ...options });
  t.teardown(() => client.close());
  return client;
}

function post(url: string, changes: Partial<BoundedRequest> = {}): BoundedRequest {
  return {
    method: 'POST',
    url: new URL(url),
    headers: { 'content-type': 'application/json' },
    body: '{"a":1}',
    timeoutMs: 2000,
    readBytesMax: 65_536,
    keptBytesMax: 2048,
    ...changes,
  };
}

function get(url: string): BoundedRequest {
  const { body: _, ...request } = post(url, { method: 'GET' });
  return request;
}

t.test('an answer gives its status and the start of its body', async (t) => {
  const seen: string[] = [];
  const origin = await httpServer(t, (request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      seen.push(`${request.method} ${request.url} ${request.headers['content-type']} ${body}`);
      response.writeHead(201).end('x'.repeat(3000));
    });
  });
  const client = clientFor(t, origin);
  const outcome = await client.request(post(`${origin}/hook?a=b`));
  t.match(outcome, { kind: 'answered', status: 201, truncated: false });
  t.equal(outcome.body.toString(), 'x'.repeat(2048));
  const get = await client.request({
    method: 'GET',
    url: new URL(origin),
    headers: {},
    timeoutMs: 1000,
    readBytesMax: 10_000,
    keptBytesMax: 10_000,
  });
  t.match(get, { kind: 'answered', status: 201 });
  t.equal(get.body.length, 3000);
  t.same(seen, ['POST /hook?a=b application/json {"a":1}', 'GET / undefined ']);
});

t.test('redirects are answers and are not followed', async (t) => {
  let requests = 0;
  const origin = await httpServer(t, (_request, response) => {
    requests++;
    response.writeHead(302, { location: '/elsewhere' }).end();
  });
  t.match(await clientFor(t, origin).request(post(origin)), { kind: 'answered', status: 302 });
  t.equal(requests, 1);
});

t.test('connections are kept and reused, with a limit on idle ones', async (t) => {
  const server = await rawServer(t, (socket) => socket.on('data', () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok')));
  const client = clientFor(t, server.origin, { idlePerOriginMax: 3, idleTimeoutMs: 1500 });
  for (let index = 0; index < 20; index++) t.match(await client.request(post(server.origin)), { status: 200 });
  t.equal(server.connections(), 1);
  await Promise.all(Array.from({ length: 10 }, () => client.request(post(server.origin))));
  t.ok(server.connections() <= 10);
  t.same(client.stats(), { connections: 3, idle: 3 });
  await until(() => client.stats().connections === 0, 'the excess idle connections to be closed');
  t.same(client.stats(), { connections: 0, idle: 0 });
});

t.test('a 204 is whole without the body that its head announces, whether or not that follows', async (t) => {
  for (const rest of ['', 'hello', 'HTTP/1.1 500 No\r\ncontent-length: 0\r\n\r\n']) {
    const server = await rawServer(t, (socket) =>
      socket.on('data', () => socket.write(`HTTP/1.1 204 No Content\r\ncontent-length: 5\r\n\r\n${rest}`)),
    );
    const client = clientFor(t, server.origin);
    for (let index = 0; index < 2; index++)
      t.match(await client.request(post(server.origin)), { kind: 'answered', status: 204, truncated: false }, JSON.stringify(rest));
    t.same(client.stats(), { connections: 0, idle: 0 }, 'what follows is not taken for the next answer');
  }
});

t.test('a receiver that moves to another address is followed, also if its connection is never idle', async (t) => {
  const answering = (socket: Socket) => socket.on('data', () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'));
  const server = await rawServer(t, answering);
  const origin = `http://hooks.example.com:${server.port}`;
  let questions = 0;
  const systemResolver = async () => {
    questions++;
    return ['127.0.0.1'];
  };
  const client = clientFor(t, origin, { systemResolver, ageMaxMs: 100 });
  await until(async () => {
    await client.request(post(origin));
    return questions > 1;
  }, 'the name to be resolved again');
  t.equal(server.connections(), questions);
});

t.test('a connection that the other side closes while idle is not reused', async (t) => {
  const server = await rawServer(t, (socket) =>
    socket.on('data', () => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok');
      setTimeout(() => socket.end(), 20);
    }),
  );
  const client = clientFor(t, server.origin);
  for (let index = 0; index < 3; index++) {
    t.match(await client.request(post(server.origin)), { kind: 'answered', status: 200 });
    await until(() => client.stats().connections === 0, 'the close to be noticed');
    t.equal(client.stats().idle, 0);
  }
  t.equal(server.connections(), 3);
});

t.test('a GET whose kept connection is closed without an answer is sent again, once, and a POST is not', async (t) => {
  const answers =
    (count: number, last: (socket: Socket) => void): Handler =>
    (socket) => {
      let left = count;
      socket.on('data', () => {
        if (left-- > 0) socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok');
        else last(socket);
      });
    };
  const close = (socket: Socket) => void socket.end();
  const reset = (socket: Socket) => void socket.resetAndDestroy();
  const cut = (socket: Socket) => void socket.end(`${HEAD}content-length: 10\r\n\r\nabc`);
  const lost = { kind: 'failed', error: 'connection_lost' };
  for (const [name, last, request, second, connections] of [
    ['closed', close, get, { kind: 'answered', status: 200 }, 2],
    ['reset', reset, get, { kind: 'answered', status: 200 }, 2],
    ['a part of an answer', cut, get, { ...lost, status: 200 }, 1],
    ['POST', close, post, lost, 1],
  ] as const) {
    const server = await rawServer(t, answers(1, last));
    const client = clientFor(t, server.origin);
    t.match(await client.request(request(server.origin)), { kind: 'answered', status: 200 }, name);
    t.match(await client.request(request(server.origin)), second, name);
    t.equal(server.connections(), connections, name);
  }
  const server = await rawServer(t, answers(0, close));
  const client = clientFor(t, server.origin);
  t.match(await client.request(get(server.origin)), lost, 'a new connection');
  t.equal(server.connections(), 1, 'is not tried again');
});

t.test('a client that is closed sends nothing again', async (t) => {
  const server = await rawServer(t, (socket) => socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok')));
  const client = clientFor(t, server.origin);
  t.match(await client.request(get(server.origin)), { status: 200 });
  const pending = client.request(get(server.origin));
  await client.close();
  t.match(await pending, { kind: 'failed', error: 'connection_lost' });
  t.same([server.connections(), client.stats()], [1, { connections: 0, idle: 0 }]);
});

/** How long a deadline of 400 ms may take on a busy machine. None of the stalls below ends by itself within a minute. */
const STALL_ENDS_MS = 5000;

const STALLS: readonly { readonly name: string; readonly tls: boolean; readonly handler: Handler; readonly status: number | null }[] = [
  { name: 'TLS handshake that never ends', tls: true, status: null, handler: () => {} },
  { name: 'no head', tls: false, status: null, handler: () => {} },
  { name: 'head that drips', tls: false, status: null, handler: (socket) => drip(socket, `${HEAD}x-long: ${'y'.repeat(5000)}`) },
  {
    name: 'body that drips',
    tls: false,
    status: 200,
    handler: (socket) => drip(socket, 'z'.repeat(5000), `${HEAD}content-length: 5000\r\n\r\n`),
  },
  {
    name: 'endless informational heads',
    tls: false,
    status: null,
    handler: (socket) => drip(socket, 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(500)),
  },
];

function drip(socket: Socket, text: string, before = ''): void {
  socket.once('data', () => {
    socket.write(before);
    let at = 0;
    const timer = setInterval(() => socket.write(text[at++] ?? ''), 20);
    socket.on('close', () => clearInterval(timer));
  });
}

t.test('one deadline covers everything, however the receiver stalls', async (t) => {
  for (const { name, tls, handler, status } of STALLS) {
    const server = tls ? { ...(await rawServer(t, handler)), secure: true } : await rawServer(t, handler);
    const origin = tls ? `https://${TLS_NAME}:${server.port}` : server.origin;
    const client = clientFor(t, origin);
    const startedAt = performance.now();
    const outcome = await client.request(post(origin, { timeoutMs: 400 }));
    const elapsed = performance.now() - startedAt;
    t.match(outcome, { kind: 'failed', error: 'timeout', status }, name);
    t.ok(elapsed >= 399 && elapsed < STALL_ENDS_MS, `${name}: ${elapsed} ms`);
    t.same(client.stats(), { connections: 0, idle: 0 }, `${name}: nothing stays open`);
  }
  const hanging = () => new Promise<readonly string[]>(() => {});
  const client = new OutboundClient({ allow: [], publicResolver: hanging });
  const startedAt = performance.now();
  t.match(
    await client.request(post('https://hooks.example.com/', { timeoutMs: 400 })),
    { kind: 'failed', error: 'timeout' },
    'DNS without an answer',
  );
  t.ok(performance.now() - startedAt < STALL_ENDS_MS);
  t.same(client.stats(), { connections: 0, idle: 0 });
});

t.test('an endless body is read up to its limit, and the status decides', async (t) => {
  let written = 0;
  const server = await rawServer(t, (socket) =>
    socket.once('data', () => {
      socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
      const chunk = `1000\r\n${'e'.repeat(4096)}\r\n`;
      const more = () => {
        while (!socket.destroyed && socket.write(chunk)) written += 4096;
        if (!socket.destroyed) socket.once('drain', more);
      };
      more();
    }),
  );
  const client = clientFor(t, server.origin);
  const outcome = await client.request(post(server.origin));
  t.match(outcome, { kind: 'answered', status: 200, truncated: true });
  t.equal(outcome.body.toString(), 'e'.repeat(2048));
  t.same(client.stats(), { connections: 0, idle: 0 });
  t.ok(written < 32 * 1024 * 1024, `the connection is closed, ${written} bytes were taken by the kernel`);
});

t.test('each kind of failure has its own fixed word', async (t) => {
  const refused = await rawServer(t, () => {});
  const cases: readonly (readonly [name: string, expected: string, handler: Handler])[] = [
    ['closed without an answer', 'connection_lost', (socket) => socket.once('data', () => socket.end())],
    ['reset', 'connection_lost', (socket) => socket.once('data', () => socket.resetAndDestroy())],
    ['no HTTP', 'invalid_response', (socket) => socket.once('data', () => socket.write('SSH-2.0-OpenSSH\r\n'))],
    ['huge head', 'invalid_response', (socket) => socket.once('data', () => socket.write(`${HEAD}x: ${'y'.repeat(100_000)}\r\n\r\n`))],
    ['body cut short', 'connection_lost', (socket) => socket.once('data', () => socket.end(`${HEAD}content-length: 10\r\n\r\nabc`))],
  ];
  for (const [name, error, handler] of cases) {
    const server = await rawServer(t, handler);
    t.match(await clientFor(t, server.origin).request(post(server.origin)), { kind: 'failed', error }, name);
  }
  t.match(await clientFor(t, 'http://127.0.0.1:1').request(post('http://127.0.0.1:1/')), {
    kind: 'failed',
    error: 'connect',
    status: null,
  });
  const blocked = new OutboundClient({ allow: [], publicResolver: async () => ['10.0.0.1'] });
  t.match(await blocked.request(post('https://hooks.example.com/')), { kind: 'failed', error: 'blocked_address' });
  t.match(await blocked.request(post(refused.origin)), { kind: 'failed', error: 'blocked_address' });
  t.match(await blocked.request(post('https://hooks.example.com/', { headers: { 'bad header': 'x' } })), {
    kind: 'failed',
    error: 'invalid_request',
  });
  t.equal(refused.connections(), 0);
  const unresolved = new OutboundClient({ allow: [], publicResolver: async () => [] });
  t.match(await unresolved.request(post('https://hooks.example.com/')), { kind: 'failed', error: 'dns' });
  const secure = await rawServer(t, () => {}, true);
  const distrusting = new OutboundClient({ allow: [secure.origin], systemResolver: async () => ['127.0.0.1'] });
  t.match(await distrusting.request(post(secure.origin)), { kind: 'failed', error: 'tls' });
});

t.test('TLS connections are kept open and reused as well', async (t) => {
  const server = await rawServer(t, (socket) => socket.on('data', () => socket.write('HTTP/1.1 204 No Content\r\n\r\n')), true);
  const client = clientFor(t, server.origin);
  for (let index = 0; index < 5; index++) t.match(await client.request(post(server.origin)), { kind: 'answered', status: 204 });
  t.equal(server.connections(), 1);
});

t.test('closing the client ends requests under way', async (t) => {
  const server = await rawServer(t, () => {});
  const client = clientFor(t, server.origin);
  const pending = client.request(post(server.origin));
  await until(() => server.connections() === 1, 'the request to be under way');
  await client.close();
  t.match(await pending, { kind: 'failed', error: 'connection_lost' });
});
