import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { Random } from '../../bench/attribution/random.js';

/** Numbers in [0, 1) that are the same for one seed, so that a run that finds something can be repeated. */
export function seededRandom(seed: number): () => number {
  const random = new Random(seed);
  return () => random.number();
}

export interface Attack {
  readonly port: number;
  readonly tlsPort: number;
  /** Share of the connections that are made over TLS. */
  readonly tlsShare: number;
  /** The approximate number of request heads to send. */
  readonly requests: number;
  readonly connections: number;
  readonly random: () => number;
  /** Called before each connection: false ends the attack. */
  readonly goOn: () => boolean;
}

/** What a connection sends, how much of it, and how it ends. */
interface Assault {
  readonly bytes: Buffer;
  readonly heads: number;
  /** `answers`: when an answer has come; `at_once`: after the write; `half`: signals that nothing more comes, and keeps reading. */
  readonly end: 'answers' | 'at_once' | 'half';
  readonly reset: boolean;
  /** Milliseconds between the two halves of the bytes; 0 sends all at once. */
  readonly pauseMs: number;
  readonly reads: boolean;
}

/** Paths that are answered at once. */
const PATHS = [
  '/abc',
  '/abc/',
  '/a/b/c',
  '/robots.txt',
  '/',
  '//',
  '/a/%',
  '/a/%00',
  '/abc?x=%',
  '/.well-known/assetlinks.json',
  '/health/live',
];
const METHODS = ['GET', 'GET', 'GET', 'HEAD', 'HEAD', 'POST', 'OPTIONS', 'get', 'TRACE', 'X'.repeat(40)];
const HEADERS = [
  'User-Agent: facebookexternalhit/1.1',
  'User-Agent: Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X)',
  'X-Forwarded-For: 1.2.3.4, ::1, nonsense',
  'Connection: close',
  'Connection: upgrade\r\nUpgrade: websocket',
  'Expect: 100-continue',
  'Content-Length: 0',
  `Cookie: ${'c'.repeat(3000)}`,
  'Sec-Purpose: prefetch',
  'Referer: http://\x80\xff/',
];
const SPOILERS = [
  'Content-Length: 5',
  'Content-Length: 0\r\nContent-Length: 7',
  'Transfer-Encoding: chunked',
  'Host: other.example',
  ': nothing',
  'A: b\0c',
  'no colon',
  `X: ${'x'.repeat(20_000)}`,
  'Content-Length: 99999999999999999999',
];

/** Sends what no client should, on many connections at once, and ends them in every possible way. */
export async function attack({ port, tlsPort, tlsShare, requests, connections, random, goOn }: Attack): Promise<number> {
  let sent = 0;
  const runner = async (): Promise<void> => {
    while (sent < requests && goOn()) {
      const assault = makeAssault(random);
      sent += assault.heads;
      await carryOut(assault, random() < tlsShare ? tlsPort : 0, port);
    }
  };
  await Promise.all(Array.from({ length: connections }, runner));
  return sent;
}

function pick<Value>(values: readonly Value[], random: () => number): Value {
  return values[Math.floor(random() * values.length)] as Value;
}

function head(random: () => number): string {
  const lines = [
    `${pick(METHODS, random)} ${random() < 0.01 ? `/${Math.floor(random() * 1e9).toString(36)}` : pick(PATHS, random)} HTTP/1.1`,
  ];
  if (random() < 0.999) lines.push(`Host: ${random() < 0.9 ? 'go.shop.example' : 'nobody.example:1'}`);
  while (random() < 0.3) lines.push(pick(HEADERS, random));
  if (random() < 0.003) lines.push(pick(SPOILERS, random));
  return `${lines.join('\r\n')}\r\n\r\n`;
}

function makeAssault(random: () => number): Assault {
  const heads = random() < 0.5 ? 1 : 1 + Math.floor(random() * 200);
  let bytes: Buffer = Buffer.from(Array.from({ length: heads }, () => head(random)).join(''), 'latin1');
  if (random() < 0.3) bytes = bytes.subarray(0, Math.floor(random() * bytes.length));
  if (random() < 0.2) bytes = spoiled(bytes, random);
  return {
    bytes,
    heads,
    end: pick(['answers', 'at_once', 'half'] as const, random),
    reset: random() < 0.5,
    pauseMs: random() < 0.1 ? 1 + Math.floor(random() * 30) : 0,
    reads: random() < 0.9,
  };
}

/** Changes a few bytes, anywhere. */
function spoiled(bytes: Buffer, random: () => number): Buffer {
  const copy = Buffer.from(bytes);
  for (let count = 1 + Math.floor(random() * 8); count > 0 && copy.length > 0; count--)
    copy[Math.floor(random() * copy.length)] = Math.floor(random() * 256);
  return copy;
}

/** A connection may hang on an answer that does not come. It is then abandoned. */
const WAIT_MS_MAX = 50;

/** If `tlsPort` is 0, plain HTTP is used. */
async function carryOut(assault: Assault, tlsPort: number, port: number): Promise<void> {
  const socket: Socket =
    tlsPort === 0
      ? connect(port, '127.0.0.1')
      : connectTls({ port: tlsPort, host: '127.0.0.1', servername: 'go.shop.example', rejectUnauthorized: false });
  const over = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  // resetAndDestroy() waits for what is still to be written, and for a connection that is not established yet.
  const leave = () =>
    void (assault.reset && tlsPort === 0 && socket.writableLength === 0 && !socket.connecting
      ? socket.resetAndDestroy()
      : socket.destroy());
  const late = setTimeout(() => socket.destroy(), WAIT_MS_MAX + assault.pauseMs);
  // How the server ends a connection does not matter; whether it lives is checked from outside.
  socket.on('error', () => {});
  if (assault.reads) socket.on('data', () => assault.end === 'answers' && leave());
  socket.once(tlsPort === 0 ? 'connect' : 'secureConnect', () => {
    const half = assault.pauseMs === 0 ? 0 : assault.bytes.length >> 1;
    const finish = () =>
      socket.write(assault.bytes.subarray(half), () => {
        if (assault.end === 'at_once') leave();
        else if (assault.end === 'half') socket.end();
      });
    if (half === 0) finish();
    else socket.write(assault.bytes.subarray(0, half), () => setTimeout(finish, assault.pauseMs));
  });
  await over;
  clearTimeout(late);
}
