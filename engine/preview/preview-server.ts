import { createServer, type Server, type Socket } from 'node:net';
import type { Logger } from '../../shared/base/log.js';
import type { FigureRow } from './figures.js';
import { type Ask, type ClientMessage, frame, type Reply, type ServerMessage, Unframer } from './messages.js';
import { announceSocket, newSocketPath, removeSocket } from './socket-place.js';

export interface PreviewServerOptions {
  readonly dataDir: string;
  readonly log: Logger;
  readonly onAsk: (ask: Ask, reply: (reply: Reply) => void) => void;
  readonly onCounted: (rows: readonly FigureRow[]) => void;
}

/** A process that has stopped reading is disconnected when this many bytes wait for it. */
const UNREAD_BYTES_MAX = 16 * 1024 * 1024;

/** The end of the socket that the host's redirect processes ask. */
export class PreviewServer {
  readonly #options: PreviewServerOptions;
  readonly #sockets = new Set<Socket>();
  readonly #server: Server;
  #path: string | null = null;

  constructor(options: PreviewServerOptions) {
    this.#options = options;
    this.#server = createServer((socket) => this.#serve(socket));
  }

  /** Rejects if the socket cannot be created. */
  async start(): Promise<void> {
    const path = newSocketPath();
    this.#path = path;
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(path, () => {
        this.#server.off('error', reject);
        resolve();
      });
    });
    this.#server.on('error', (error) =>
      this.#options.log.error({ code: 'preview_socket_error', err: error }, 'the socket of the answers reported an error'),
    );
    announceSocket(this.#options.dataDir, path);
  }

  get clients(): number {
    return this.#sockets.size;
  }

  /** Ends every connection. */
  stop(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    if (this.#path !== null) removeSocket(this.#path);
  }

  #serve(socket: Socket): void {
    const { onAsk, onCounted, log } = this.#options;
    const unframer = new Unframer<ClientMessage>();
    this.#sockets.add(socket);
    socket.on('data', (piece) => {
      for (const message of unframer.take(piece)) {
        if (message.kind === 'counted') onCounted(message.rows);
        else onAsk(message, (reply) => this.#send(socket, { id: message.id, reply }));
      }
    });
    // A killed process resets its connection.
    socket.on('error', (error) =>
      log.debug({ code: 'preview_connection_lost', err: error }, 'the connection of a redirect process was lost'),
    );
    socket.on('close', () => this.#sockets.delete(socket));
  }

  #send(socket: Socket, message: ServerMessage): void {
    if (socket.destroyed) return;
    socket.write(frame(message));
    if (socket.writableLength > UNREAD_BYTES_MAX) socket.destroy();
  }
}
