/**
 * Text of a head: bytes are its ASCII, made once. uWebSockets.js measures and copies a string again at each answer, in 50 ns
 * each; a constant is copied as it is.
 */
export type HeaderText = string | Uint8Array;

export function headerText(text: HeaderText): string {
  return typeof text === 'string' ? text : Buffer.from(text).toString('latin1');
}

/** A status with the header lines that follow it. */
export interface HeadLines {
  readonly status: string;
  readonly headers: readonly (readonly [string, string])[];
}

/** The parts of what `writeStatus` was given. */
export function headLines(head: HeaderText): HeadLines {
  const [status, ...lines] = headerText(head).split('\r\n') as [string, ...string[]];
  return { status, headers: lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]) };
}

/** Bytes with a buffer of their own, as uWebSockets.js takes them. */
export function headerBytes(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'latin1'));
}

/** A piece of a request's body, of which nothing but its length is of use: nobody who follows a link sends one. */
export interface BodyPiece {
  readonly byteLength: number;
}

/**
 * What a listener gives for writing one answer. It is uWebSockets.js's own response object, so that the fast listener
 * has nothing in between; the `node:http` listener is adapted to it.
 */
export interface AnswerSink {
  /** Status line without the version, such as `302 Found`. First, and once. Header lines may follow it, each after CR and LF. */
  writeStatus(status: HeaderText): unknown;
  writeHeader(name: HeaderText, value: HeaderText): unknown;
  /** Writes the body with its length. `closeConnection` says `Connection: close` and does so. */
  end(body?: Uint8Array | string, closeConnection?: boolean): unknown;
  /**
   * The same for as much of the body as can be taken now. Returns whether all of it was, and whether the answer is over;
   * after that the sink may not be touched.
   */
  tryEnd(rest: Uint8Array, wholeBytes: number): readonly [boolean, boolean];
  /** More can be taken, from `offset` on. The handler returns whether all of what it gave was. */
  onWritable(handler: (offset: number) => boolean): unknown;
  /**
   * Ends the answer to HEAD; its length, and that the connection ends, are written as headers. Never with an argument:
   * given a length above 0, uWebSockets.js waits for that many bytes and takes the request for unanswered, which ends the
   * process (seen with version 20).
   */
  endWithoutBody(): unknown;
  /** Hands over what comes of the body, and says of the last piece that it is; of no body, an empty last piece. */
  onData(handler: (piece: BodyPiece, isLast: boolean) => void): unknown;
  /** Ends the connection at once, with no answer. */
  close(): unknown;
  /** Must be called by a handler that does not answer before it returns. Afterwards the sink may not be touched. */
  onAborted(handler: () => void): unknown;
  /** Every write outside the handler goes through here: one packet instead of many. */
  cork(write: () => void): unknown;
  /** 4 or 16 bytes. */
  getRemoteAddress(): ArrayBuffer;
}
