import { connect, createServer, type Socket } from 'node:net';
import type { Test } from 'tap';

export interface Line {
  readonly roundTripMs: number;
  /**
   * The share of the sent pieces that are lost. A lost piece is sent again and arrives a round trip later, with
   * everything that came after it.
   */
  readonly lossShare: number;
}

/** The most that a connection holds in transit: the window of TCP. */
const WINDOW_BYTES = 16 * 1024 ** 2;

/** A line to a server in another region. It has no bound on its rate: with losses, TCP's own rate depends on its congestion control. */
export class FarLine {
  readonly #target: { readonly host: string; readonly port: number };
  readonly #line: Line;
  readonly #sockets = new Set<Socket>();
  /** Whether connections are accepted. */
  isOpen = true;
  port = 0;

  private constructor(target: { readonly host: string; readonly port: number }, line: Line) {
    this.#target = target;
    this.#line = line;
  }

  static async to(t: Test, target: { readonly host: string; readonly port: number }, line: Line): Promise<FarLine> {
    const far = new FarLine(target, line);
    const server = createServer((client) => far.#carry(client));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    far.port = (server.address() as { port: number }).port;
    t.teardown(() => {
      far.cut();
      server.close();
    });
    return far;
  }

  /** Ends all connections, and new ones at once, until `isOpen` is set again. */
  cut(): void {
    this.isOpen = false;
    for (const socket of this.#sockets) socket.destroy();
  }

  #carry(client: Socket): void {
    if (!this.isOpen) {
      client.destroy();
      return;
    }
    const server = connect(this.#target);
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#sockets.add(from);
      from.setNoDelay(true);
      this.#delay(from, to);
      from.on('error', () => {});
      from.on('close', () => {
        this.#sockets.delete(from);
        to.destroy();
      });
    }
  }

  /** Pieces arrive in their order, half a round trip after they were sent. */
  #delay(from: Socket, to: Socket): void {
    const { roundTripMs, lossShare } = this.#line;
    const underWay: { readonly piece: Buffer; readonly arrivesAt: number }[] = [];
    let bytes = 0;
    // Timers that are due at once run in any order, so the queue keeps the order of the pieces.
    const deliver = (): void => {
      while (underWay[0] !== undefined && underWay[0].arrivesAt <= performance.now() + 1) {
        const { piece } = underWay.shift() as (typeof underWay)[number];
        bytes -= piece.length;
        to.write(piece);
      }
      if (bytes <= WINDOW_BYTES) from.resume();
    };
    from.on('data', (piece: Buffer) => {
      const lost = Math.random() < lossShare ? roundTripMs : 0;
      const arrivesAt = Math.max(underWay.at(-1)?.arrivesAt ?? 0, performance.now() + roundTripMs / 2 + lost);
      underWay.push({ piece, arrivesAt });
      bytes += piece.length;
      if (bytes > WINDOW_BYTES) from.pause();
      setTimeout(deliver, arrivesAt - performance.now() + 1);
    });
  }
}
