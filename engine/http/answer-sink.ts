/**
 * What a listener gives for writing one answer. It is uWebSockets.js's own response object, so that the fast listener
 * has nothing in between; the `node:http` listener is adapted to it.
 */
export interface AnswerSink {
  /** Status line without the version, such as `302 Found`. First, and once. */
  writeStatus(status: string): unknown;
  writeHeader(name: string, value: string): unknown;
  /** Writes the body with its length. `closeConnection` says `Connection: close` and does so. */
  end(body?: Uint8Array | string, closeConnection?: boolean): unknown;
  /**
   * Ends the answer to HEAD; its length, and that the connection ends, are written as headers. Never with an argument:
   * given a length above 0, uWebSockets.js waits for that many bytes and takes the request for unanswered, which ends the
   * process (seen with version 20).
   */
  endWithoutBody(): unknown;
  /** Ends the connection at once, with no answer. */
  close(): unknown;
  /** Must be called by whoever does not answer within the handler. After it the sink may not be touched. */
  onAborted(handler: () => void): unknown;
  /** Every write outside the handler goes through here: one packet instead of many. */
  cork(write: () => void): unknown;
  /** 4 or 16 bytes. */
  getRemoteAddress(): ArrayBuffer;
}
