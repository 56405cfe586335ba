import { type AnswerSink, type HeaderText, headerText, headLines } from '../../../engine/http/answer-sink.js';

/** A sink that records what is written, and throws on a call that a real one could not handle. */
export class RecordedSink implements AnswerSink {
  status = '';
  readonly headers: (readonly [string, string])[] = [];
  body: string | null = null;
  ended: 'no' | 'kept' | 'closing' | 'closed' = 'no';

  writeStatus(status: HeaderText): void {
    if (this.status !== '' || this.ended !== 'no') throw new Error('a second status');
    const lines = headLines(status);
    this.status = lines.status;
    this.headers.push(...lines.headers);
  }

  writeHeader(name: HeaderText, value: HeaderText): void {
    if (this.status === '' || this.ended !== 'no') throw new Error('a header outside an answer');
    this.headers.push([headerText(name), headerText(value)]);
  }

  end(body: Uint8Array | string = '', closeConnection = false): void {
    if (this.ended !== 'no') throw new Error('a second end');
    this.body = Buffer.from(body as string).toString();
    this.ended = closeConnection ? 'closing' : 'kept';
  }

  /** How many bytes of a body one call of `tryEnd` takes. */
  room = Number.POSITIVE_INFINITY;
  writable: ((offset: number) => boolean) | null = null;
  #taken = Buffer.alloc(0);

  tryEnd(rest: Uint8Array, wholeBytes: number): readonly [boolean, boolean] {
    if (this.ended !== 'no') throw new Error('a second end');
    this.#taken = Buffer.concat([this.#taken, rest.subarray(0, this.room)]);
    this.body = this.#taken.toString();
    const over = this.#taken.length === wholeBytes;
    if (over) this.ended = 'kept';
    return [over, over];
  }

  onWritable(handler: (offset: number) => boolean): void {
    this.writable = handler;
  }

  endWithoutBody(...unwanted: unknown[]): void {
    if (unwanted.length > 0) throw new Error('an argument here ends the process');
    if (this.ended !== 'no') throw new Error('a second end');
    this.ended = 'kept';
  }

  close(): void {
    this.ended = 'closed';
  }

  onAborted(_handler: () => void): void {}

  onData(): void {}

  cork(write: () => void): void {
    write();
  }

  getRemoteAddress(): ArrayBuffer {
    return Uint8Array.of(192, 0, 2, 1).buffer;
  }

  header(name: string): string | undefined {
    return this.headers.find(([candidate]) => candidate === name)?.[1];
  }
}
