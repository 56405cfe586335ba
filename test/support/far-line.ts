import { connect, createServer, type Socket } from 'node:net';
import type { Test } from 'tap';

export interface Line {
  readonly roundTripMs: number;
  /** Of the pieces that are sent; one that is lost is sent again, and arrives a round trip later, with all that came after it. */
  readonly lossShare: number;
}

/** What a connection holds on its way, at most: the window of TCP. */
const WINDOW_BYTES = 16 * 1024 ** 2;

/** A line to a server in another region. What it does not have is a bound on its rate: with losses, TCP's own depends on its congestion control. */
export class FarLine {
  readonly #target: { readonly host: string; readonly port: number };
  readonly #line: Line;
  readonly #sockets = new Set<Socket>();
  /** Whether connections are let through. */
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
    let arrivesAt = 0;
    let underWay = 0;
    from.on('data', (piece: Buffer) => {
      const lost = Math.random() < lossShare ? roundTripMs : 0;
      arrivesAt = Math.max(arrivesAt, performance.now() + roundTripMs / 2 + lost);
      underWay += piece.length;
      if (underWay > WINDOW_BYTES) from.pause();
      setTimeout(() => {
        underWay -= piece.length;
        if (underWay <= WINDOW_BYTES) from.resume();
        to.write(piece);
      }, arrivesAt - performance.now());
    });
  }
}
