/**
 * Text of a head. Bytes are its ASCII encoding, made once. uWebSockets.js measures and copies a string again for each answer, in
 * 50 ns each; bytes are copied as they are.
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

/** Splits what `writeStatus` was given into its parts. */
export function headLines(head: HeaderText): HeadLines {
  const [status, ...lines] = headerText(head).split('\r\n') as [string, ...string[]];
  return { status, headers: lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]) };
}

/** Returns the text as bytes with a buffer of their own, as uWebSockets.js takes them. */
export function headerBytes(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'latin1'));
}

/** A piece of a request's body. Only its length is used, because nobody who follows a link sends a body. */
export interface BodyPiece {
  readonly byteLength: number;
}

/**
 * The means to write one answer, as a listener provides them. This is the interface of uWebSockets.js's own response object, so
 * that the fast listener has nothing in between; the `node:http` listener is adapted to it.
 */
export interface AnswerSink {
  /**
   * Writes the status line without the version, such as `302 Found`. Must be called first, and once. Header lines may follow it,
   * each after CR and LF.
   */
  writeStatus(status: HeaderText): unknown;
  writeHeader(name: HeaderText, value: HeaderText): unknown;
  /** Writes the body with its length. With `closeConnection` it also sends `Connection: close` and closes the connection. */
  end(body?: Uint8Array | string, closeConnection?: boolean): unknown;
  /**
   * Does the same for as much of the body as can be taken now. Returns whether all of it was taken, and whether the answer is
   * complete. After that the sink must not be touched.
   */
  tryEnd(rest: Uint8Array, wholeBytes: number): readonly [boolean, boolean];
  /** Calls the handler when more can be taken, starting at `offset`. The handler returns whether all that it offered was taken. */
  onWritable(handler: (offset: number) => boolean): unknown;
  /**
   * Ends an answer that has no body; its length, and that the connection ends, are written as headers. Takes no argument: given a
   * length above 0, uWebSockets.js waits for that many bytes and treats the request as unanswered, which ends the process (seen
   * with version 20).
   */
  endWithoutBody(): unknown;
  /** Passes the pieces of the body to the handler, and marks the last one. Without a body, the handler gets one empty last piece. */
  onData(handler: (piece: BodyPiece, isLast: boolean) => void): unknown;
  /** Ends the connection at once, without an answer. */
  close(): unknown;
  /** Must be called by a handler that does not answer before it returns. After an abort the sink must not be touched. */
  onAborted(handler: () => void): unknown;
  /** Every write outside the handler must go through here, so that it is sent in one packet instead of many. */
  cork(write: () => void): unknown;
  /** Returns 4 or 16 bytes. */
  getRemoteAddress(): ArrayBuffer;
}
