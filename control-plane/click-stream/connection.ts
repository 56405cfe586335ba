import { PassThrough } from 'node:stream';
import type { StreamEnd } from '../../shared/contract/schemas/click-stream.js';
import { TAKEN_WITHIN_MS } from './limits.js';
import type { StreamProgress } from './progress.js';

/** Bytes that may wait in memory for a client. While more are waiting, the next piece, of up to about 500 KB, is held back. */
const WAITING_BYTES_MAX = 64 * 1024;

/** One open stream of clicks: what its client was sent, and whether the client has received it. */
export class StreamConnection {
  readonly keyId: string;
  readonly openedMs: number;
  /** How far the client had read when it connected; advanced while it catches up alone with the live streams. */
  progress: StreamProgress;
  /** Whether it has caught up, and is sent the same as all live streams. */
  isLive = false;
  sentMs: number;
  readonly stream = new PassThrough({ highWaterMark: WAITING_BYTES_MAX });

  constructor(keyId: string, progress: StreamProgress, nowMs: number) {
    this.keyId = keyId;
    this.progress = progress;
    this.openedMs = nowMs;
    this.sentMs = nowMs;
    // An error only means that the client has closed the connection.
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

  /** Whether more bytes are waiting for the client than should. */
  get isBehind(): boolean {
    return this.isOpen && this.stream.writableNeedDrain;
  }

  /** Resolves when the client has received what it was sent, or has closed the connection. */
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

  /** Sends the last event, after everything that is waiting. The connection of a client that does not receive it in time is closed. */
  end(reason: StreamEnd): void {
    if (!this.isOpen) return;
    this.stream.end(`event: end\ndata: ${JSON.stringify({ reason })}\n\n`);
    const cutOff = setTimeout(() => this.stream.destroy(), TAKEN_WITHIN_MS);
    this.stream.on('close', () => clearTimeout(cutOff));
  }
}
