import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { problemBody, refuse } from './problems.js';

/**
 * Answers what is not HTTP: malformed messages, headers that are too large, requests that never end. No request object
 * exists then, so the answer is written by hand, and the connection, whose state is unknown, is closed.
 */
export function answerMalformedHttp(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) {
    socket.destroy();
    return;
  }
  const requestId = randomUUID();
  const body = JSON.stringify(problemBody(refuse('bad_request', 'The request is not valid HTTP, or did not come in time.'), requestId));
  socket.end(
    'HTTP/1.1 400 Bad Request\r\n' +
      `X-Request-Id: ${requestId}\r\n` +
      'Content-Type: application/problem+json\r\n' +
      `Content-Length: ${Buffer.byteLength(body)}\r\n` +
      `Connection: close\r\n\r\n${body}`,
  );
}
