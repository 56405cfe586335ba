import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { problemBody, refuse } from './problems.js';

/** For the answer to be read: a connection destroyed with bytes unread is reset, in which the answer is lost. */
const CLOSE_AFTER_MS = 1_000;

/**
 * Answers what is not HTTP: malformed messages, headers that are too large, requests that never end. No request object
 * exists then, so the answer is written by hand, and the connection, whose state is unknown, is closed:
 * also where the client never closes its side.
 */
export function answerMalformedHttp(error: Error & { code?: string }, socket: Socket): void {
  // A body that does not come may belong to a request that was refused already: a second answer would be taken for the next one's.
  const isAnswered = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && socket.bytesWritten > 0;
  if (error.code === 'ECONNRESET' || isAnswered || socket.destroyed || !socket.writable) {
    socket.destroy();
    return;
  }
  const requestId = randomUUID();
  const body = JSON.stringify(problemBody(refuse('bad_request', 'The request is not valid HTTP, or did not arrive in time.'), requestId));
  socket.end(
    'HTTP/1.1 400 Bad Request\r\n' +
      `X-Request-Id: ${requestId}\r\n` +
      'Content-Type: application/problem+json\r\n' +
      `Content-Length: ${Buffer.byteLength(body)}\r\n` +
      `Connection: close\r\n\r\n${body}`,
  );
  setTimeout(() => socket.destroy(), CLOSE_AFTER_MS).unref();
}
