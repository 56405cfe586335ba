import { connect } from 'node:net';

export interface RawRequestOptions {
  /** Ends this side right after the bytes. Node.js then drops a request that it has not answered yet, so only where no answer is asked for. */
  readonly endsAtOnce?: boolean;
}

/** Sends the bytes as they are and gives all that comes back until the server closes, or, once it has answered, until this side has. */
export function rawRequest(port: number, bytes: string | Uint8Array, { endsAtOnce = false }: RawRequestOptions = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => (endsAtOnce ? socket.end(bytes) : socket.write(bytes)));
    let received = '';
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => {
      received += chunk;
      // Head and body of an answer come in one piece.
      if (!endsAtOnce) socket.end();
    });
    socket.on('error', (error: NodeJS.ErrnoException) => {
      // A server that closes before it has read everything resets the connection: that is an answer too.
      if (error.code === 'ECONNRESET' || error.code === 'EPIPE') resolve(received);
      else reject(error);
    });
    socket.on('close', () => resolve(received));
  });
}
