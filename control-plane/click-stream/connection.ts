import { PassThrough } from 'node:stream';
import type { StreamEnd } from '../../shared/contract/schemas/click-stream.js';
import { TAKEN_WITHIN_MS } from './limits.js';
import type { Reading } from './reading.js';

/** What waits in memory for a client. A client that has more than this to take holds up the next piece, which has up to some 500 KB. */
const WAITING_BYTES_MAX = 64 * 1024;

/** One open stream of clicks: what its client was sent, and whether it has taken it. */
export class StreamConnection {
  readonly keyId: string;
  readonly openedMs: number;
  /** How far the client was when it came, and while it reads alone what the others have had. */
  reading: Reading;
  /** Whether it is sent what the others are. */
  isLive = false;
  sentMs: number;
  readonly stream = new PassThrough({ highWaterMark: WAITING_BYTES_MAX });

  constructor(keyId: string, reading: Reading, nowMs: number) {
    this.keyId = keyId;
    this.reading = reading;
    this.openedMs = nowMs;
    this.sentMs = nowMs;
    // An error is the client's, which went away.
    this.stream.on('error', () => {});
  }

  get isOpen(): boolean {
    return this.stream.writable;
  }

  send(piece: Buffer | string, nowMs: number): void {
    if (!this.isOpen) return;
    this.sentMs = nowMs;
    this.stream.write(piece);
  }

  /** Whether the client has more to take than may wait for it. */
  get isBehind(): boolean {
    return this.isOpen && this.stream.writableNeedDrain;
  }

  /** Resolves when the client has taken what it was sent, or has gone. */
  async taken(): Promise<void> {
    if (!this.isBehind) return;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        this.stream.off('drain', done).off('close', done);
        resolve();
      };
      this.stream.on('drain', done).on('close', done);
    });
  }

  /** Sends the last event, behind all that waits. A client that does not take it in time is cut off. */
  end(reason: StreamEnd): void {
    if (!this.isOpen) return;
    this.stream.end(`event: end\ndata: ${JSON.stringify({ reason })}\n\n`);
    const cutOff = setTimeout(() => this.stream.destroy(), TAKEN_WITHIN_MS);
    this.stream.on('close', () => clearTimeout(cutOff));
  }
}
