import { randomUUID } from 'node:crypto';
import { type IncomingMessage, maxHeaderSize, type RequestListener, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { PROBLEMS } from '../../shared/contract/schemas/problem-codes.js';
import { problemBody, type Refusal, refuse } from './problems.js';

/** Time for the client to read the response. A connection that is destroyed with unread bytes is reset, and the response would be lost. */
const CLOSE_AFTER_MS = 1_000;

/** The responses of a connection that are not sent yet. */
const openResponses = new WeakMap<Duplex, Set<ServerResponse>>();

function noteRequest({ socket }: IncomingMessage, response: ServerResponse): void {
  const open = openResponses.get(socket) ?? new Set();
  openResponses.set(socket, open.add(response));
  response.once('close', () => open.delete(response));
}

/** Connections that are refused as soon as the requests before are answered. */
const waiting = new WeakSet<Duplex>();

/**
 * Responds to what is not valid HTTP: malformed messages, headers that are too large, requests that never end. There is no request
 * object in this case.
 */
export function answerMalformedHttp(error: Error & { code?: string }, socket: Socket): void {
  // A body that does not arrive may belong to a request that was refused already. A second response would be taken for the next request's.
  const isAnswered = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && socket.bytesWritten > 0;
  if (error.code === 'ECONNRESET' || isAnswered || socket.destroyed || !socket.writable) {
    socket.destroy();
    return;
  }
  answerInTurn(socket, refuse('bad_request', detailOf(error.code)));
}

function detailOf(code: string | undefined): string {
  if (code === 'HPE_HEADER_OVERFLOW')
    return `The address and the headers of the request together have more than ${maxHeaderSize / 1024} KiB.`;
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'The request did not arrive in time.' : 'The request is not valid HTTP.';
}

/** Responds to CONNECT, which Node.js does not hand over like other requests. */
function answerConnect(_request: IncomingMessage, socket: Duplex): void {
  // Node.js has removed its own listener. Without one, a client that resets the connection would end the process.
  socket.on('error', () => undefined);
  answerInTurn(socket, refuse('method_not_allowed', 'This server is not a proxy.', { allow: METHODS }));
}

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';

/** Responds after the requests before, because a client takes responses in the order of its requests. */
function answerInTurn(socket: Duplex, refusal: Refusal): void {
  const before = [...(openResponses.get(socket) ?? [])].filter(({ req }) => req.complete).at(-1);
  if (before === undefined) answerOnSocket(socket, refusal);
  else if (!waiting.has(socket)) {
    waiting.add(socket);
    before.once('close', () => {
      if (socket.writable) answerOnSocket(socket, refusal);
    });
  }
}

/** Writes the response by hand, and closes the connection, because its state is unknown, even if the client never closes its side. */
function answerOnSocket(socket: Duplex, refusal: Refusal): void {
  const requestId = randomUUID();
  const body = JSON.stringify(problemBody(refusal, requestId));
  const headers = {
    'x-request-id': requestId,
    'content-type': 'application/problem+json',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
    ...refusal.headers,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const { status } = PROBLEMS[refusal.code];
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
  setTimeout(() => socket.destroy(), CLOSE_AFTER_MS).unref();
}

/** Handles requests that Node.js would otherwise answer itself or not at all, and notes which ones are not answered yet. */
export function answerUnusualRequests(server: Server, handle: RequestListener): void {
  // RFC 9110, section 10.1.1, lets a server ignore an expectation that it does not know; Node.js would answer 417 without a problem.
  server.on('checkExpectation', (request, response) => {
    noteRequest(request, response);
    handle(request, response);
  });
  server.on('request', noteRequest);
  server.on('connect', answerConnect);
}
