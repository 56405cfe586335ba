import { readFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';

/**
 * A receiver in a process of its own that costs as little as possible: it finds the end of each request by its
 * Content-Length, records which event came when, and answers 204. It verifies nothing, because its own time is not what
 * is measured.
 */
export interface ReceiverOptions {
  /** Files of a certificate and its key; null for plain HTTP. */
  readonly tls: { readonly certificateFile: string; readonly keyFile: string } | null;
  /** Whether the arrival of each event is recorded. */
  readonly noteArrivals: boolean;
}

/** Answers to the messages `connections` and `arrivals`; `listening` is sent unasked. */
export type ReceiverMessage =
  | { readonly kind: 'listening'; readonly port: number }
  | { readonly kind: 'connections'; readonly connections: number }
  | { readonly kind: 'arrivals'; readonly arrivals: readonly (readonly [eventId: string, atMs: number])[] };

const options = JSON.parse(process.argv[2] ?? '') as ReceiverOptions;
const HEAD_END = Buffer.from('\r\n\r\n');
const CONTENT_LENGTH = /content-length: (\d+)/i;
const ANSWER = Buffer.from('HTTP/1.1 204 No Content\r\n\r\n');
const EVENT_ID_AT = '{"id":"'.length;
const EVENT_ID_CHARACTERS = 30;

let connections = 0;
let arrivals: [string, number][] = [];

function serve(socket: Socket): void {
  connections++;
  let pending: Buffer = Buffer.alloc(0);
  socket.on('error', () => {});
  socket.on('data', (chunk) => {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
    for (let rest = afterRequest(pending); rest !== null; rest = afterRequest(pending)) {
      pending = rest;
      socket.write(ANSWER);
    }
  });
}

/** Returns what follows the first whole request; null if there is none yet. */
function afterRequest(bytes: Buffer): Buffer | null {
  const headEnd = bytes.indexOf(HEAD_END);
  if (headEnd === -1) return null;
  const bodyAt = headEnd + HEAD_END.length;
  const length = Number(CONTENT_LENGTH.exec(bytes.toString('latin1', 0, headEnd))?.[1] ?? 0);
  if (bytes.length < bodyAt + length) return null;
  const idAt = bodyAt + EVENT_ID_AT;
  if (options.noteArrivals) arrivals.push([bytes.toString('latin1', idAt, idAt + EVENT_ID_CHARACTERS), Date.now()]);
  return bytes.subarray(bodyAt + length);
}

function send(message: ReceiverMessage): void {
  process.send?.(message);
}

const { tls } = options;
const server =
  tls === null ? createServer(serve) : createTlsServer({ cert: readFileSync(tls.certificateFile), key: readFileSync(tls.keyFile) }, serve);
process.on('message', (message) => {
  if (message === 'connections') send({ kind: 'connections', connections });
  if (message === 'arrivals') {
    send({ kind: 'arrivals', arrivals });
    arrivals = [];
  }
});
process.on('disconnect', () => process.exit());
server.listen(0, '127.0.0.1', () => send({ kind: 'listening', port: (server.address() as { port: number }).port }));
