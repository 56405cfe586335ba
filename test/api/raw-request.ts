import { connect } from 'node:net';

export interface RawRequestOptions {
  /**
   * Ends this side right after the bytes. Node.js then drops a request that it has not answered yet, so this is only for requests
   * whose answer does not matter.
   */
  readonly endsAtOnce?: boolean;
}

/**
 * Sends the bytes as they are. Returns everything that comes back until the server closes, or until this side closes after the
 * first answer.
 */
export function rawRequest(port: number, bytes: string | Uint8Array, { endsAtOnce = false }: RawRequestOptions = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => (endsAtOnce ? socket.end(bytes) : socket.write(bytes)));
    let received = '';
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => {
      received += chunk;
      // The head and body of an answer arrive in one piece.
      if (!endsAtOnce) socket.end();
    });
    socket.on('error', (error: NodeJS.ErrnoException) => {
      // A server that closes before it has read everything resets the connection, which counts as an answer too.
      if (error.code === 'ECONNRESET' || error.code === 'EPIPE') resolve(received);
      else reject(error);
    });
    socket.on('close', () => resolve(received));
  });
}
