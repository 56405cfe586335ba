import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import t, { type Test } from 'tap';
import { ConnectFailure, type ConnectorOptions, connectGuarded, portOf } from '../../../shared/net/guarded-connector.js';
import { TlsSessions } from '../../../shared/net/tls-sessions.js';
import { TLS_CERTIFICATE, TLS_KEY, TLS_NAME } from '../../support/tls.js';

async function listen(t: Test, server: Server, host = '127.0.0.1'): Promise<{ port: number; connections: () => number }> {
  let connections = 0;
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    connections++;
    sockets.add(socket);
    socket.on('error', () => {});
  });
  server.on('tlsClientError', () => {});
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { port: (server.address() as { port: number }).port, connections: () => connections };
}

/** The word of the failure. Fails the test if a connection is made. */
async function wordOf(
  url: string,
  { ca, ...options }: Partial<ConnectorOptions> & { readonly ca?: string },
  deadlineMs = 2000,
): Promise<string> {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), deadlineMs);
  try {
    const socket = await connectGuarded(new URL(url), { allow: [], tls: new TlsSessions(ca), ...options }, abort.signal);
    socket.destroy();
    return 'connected';
  } catch (error) {
    if (!(error instanceof ConnectFailure)) throw error;
    return error.word;
  } finally {
    clearTimeout(timer);
  }
}

t.test('no spelling of an address and no answer of a resolver leads to loopback', async (t) => {
  const server = await listen(t, createServer(), '::');
  const port = server.port;
  const hosts = [
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '017700000001',
    '0.0.0.0',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[64:ff9b::7f00:1]',
    'localhost',
    'a.localhost',
    'localhost.',
  ];
  for (const host of hosts)
    for (const scheme of ['http', 'https'])
      t.equal(
        await wordOf(`${scheme}://${host}:${port}/`, { publicResolver: async () => ['8.8.8.8'] }),
        'blocked_address',
        `${scheme}://${host}`,
      );
  for (const answer of [
    ['127.0.0.1'],
    ['::1'],
    ['8.8.8.8', '127.0.0.1'],
    ['::ffff:127.0.0.1'],
    ['127.0.0.1', '8.8.8.8'],
    ['0.0.0.0'],
    ['::1%lo'],
  ])
    t.equal(await wordOf(`https://hooks.example.com:${port}/`, { publicResolver: async () => answer }), 'blocked_address', answer.join());
  t.equal(
    await wordOf(`http://hooks.example.com:${port}/`, { publicResolver: async () => t.fail('asked') as never }),
    'blocked_address',
    'http is never called, wherever its name leads',
  );
  t.equal(server.connections(), 0);
});

t.test('a name that changes its address after the check is not followed, since it is resolved once per connection', async (t) => {
  const server = await listen(t, createServer());
  let questions = 0;
  const rebinding = async () => (questions++ === 0 ? ['192.0.2.1'] : ['127.0.0.1']);
  t.equal(await wordOf(`https://hooks.example.com:${server.port}/`, { publicResolver: rebinding }), 'blocked_address');
  t.equal(questions, 1);
  t.equal(
    await wordOf(`https://hooks.example.com:${server.port}/`, { publicResolver: rebinding }),
    'blocked_address',
    'a later connection is checked again',
  );
  t.equal(questions, 2);
  t.equal(server.connections(), 0);
});

t.test('a name without addresses fails with dns', async (t) => {
  t.equal(await wordOf('https://hooks.example.com/', { publicResolver: async () => [] }), 'dns');
  const failing = async () => {
    throw Object.assign(new Error('server failure'), { code: 'ESERVFAIL' });
  };
  t.equal(await wordOf('https://hooks.example.com/', { publicResolver: failing }), 'dns');
});

t.test('if an address refuses the connection, the next one is tried', async (t) => {
  const server = await listen(t, createServer());
  const origin = `http://service.example.com:${server.port}`;
  t.equal(await wordOf(origin, { allow: [origin], systemResolver: async () => ['127.0.0.2', '127.0.0.1'] }), 'connected');
  t.equal(await wordOf(origin, { allow: [origin], systemResolver: async () => ['127.0.0.2', '127.0.0.3'] }), 'connect');
  t.equal(server.connections(), 1);
});

t.test('a name with many addresses of one family is reached by the other one', async (t) => {
  const four = await listen(t, createServer());
  const six = await listen(t, createServer(), '::1');
  const refusing = (family: (index: number) => string) => Array.from({ length: 8 }, (_, index) => family(index));
  const reach = (port: number, addresses: readonly string[]) => {
    const origin = `http://service.example.com:${port}`;
    return wordOf(origin, { allow: [origin], systemResolver: async () => addresses });
  };
  t.equal(await reach(six.port, [...refusing((index) => `127.0.0.${index + 2}`), '::1']), 'connected');
  t.equal(await reach(four.port, [...refusing((index) => `::1${index}`), '127.0.0.1']), 'connected');
});

t.test('a URL without a port has that of its scheme, and only such a one', async (t) => {
  for (const [url, port] of [
    ['https://hooks.example.com/', 443],
    ['http://hooks.example.com/', 80],
    ['https://hooks.example.com:8443/', 8443],
    ['https://hooks.example.com:0/', 0],
  ] as const)
    t.equal(portOf(new URL(url)), port, url);
});

t.test('TLS is verified against the host name of the URL', async (t) => {
  const server = await listen(t, createTlsServer({ key: TLS_KEY, cert: TLS_CERTIFICATE }));
  const systemResolver = async () => ['127.0.0.1'];
  const connect = (name: string, ca?: string) => {
    const origin = `https://${name}:${server.port}`;
    return wordOf(origin, { allow: [origin], systemResolver, ...(ca === undefined ? {} : { ca }) });
  };
  t.equal(await connect(TLS_NAME, TLS_CERTIFICATE), 'connected');
  t.equal(await connect(TLS_NAME), 'tls', 'an untrusted certificate');
  t.equal(await connect('other.example.com', TLS_CERTIFICATE), 'tls', 'a certificate for another name');
  const plain = await listen(
    t,
    createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
  );
  const origin = `https://${TLS_NAME}:${plain.port}`;
  t.equal(await wordOf(origin, { allow: [origin], systemResolver }), 'tls', 'a server without TLS');
  const previous = process.env.NODE_TLS_REJECT_UNAUTHORIZED;
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
  t.teardown(() => {
    if (previous === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    else process.env.NODE_TLS_REJECT_UNAUTHORIZED = previous;
  });
  t.equal(await connect(TLS_NAME), 'tls', 'no environment variable turns verification off');
});

t.test('an abort ends resolving, connecting and the TLS handshake', async (t) => {
  const silent = await listen(t, createServer());
  const origin = `https://${TLS_NAME}:${silent.port}`;
  const startedAt = performance.now();
  t.equal(await wordOf(origin, { allow: [origin], systemResolver: async () => ['127.0.0.1'] }, 50), 'tls');
  let signalled = false;
  const hanging = (_name: string, signal: AbortSignal) =>
    new Promise<readonly string[]>((_resolve, reject) => {
      signal.addEventListener('abort', () => {
        signalled = true;
        reject(new Error('cancelled'));
      });
    });
  t.equal(await wordOf('https://hooks.example.com/', { publicResolver: hanging }, 50), 'dns');
  t.ok(signalled);
  t.ok(performance.now() - startedAt < 10_000, 'without the abort neither would have ended');
});
