import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { problemBody, refuse } from './problems.js';

/** Time for the client to read the response. A connection that is destroyed with unread bytes is reset, and the response would be lost. */
const CLOSE_AFTER_MS = 1_000;

/**
 * Responds to what is not valid HTTP: malformed messages, headers that are too large, requests that never end. There is no request
 * object in this case, so the response is written by hand. The connection is closed, because its state is unknown, even if the
 * client never closes its side.
 */
export function answerMalformedHttp(error: Error & { code?: string }, socket: Socket): void {
  // A body that does not arrive may belong to a request that was refused already. A second response would be taken for the next request's.
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
