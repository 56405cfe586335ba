import { REFUSED_BODY_BYTES_MAX, REFUSED_BODY_DEADLINE_MS } from '../../shared/base/limits.js';
import type { AnswerSink } from './answer-sink.js';
import { holdAnswer } from './held-answer.js';

export interface BodyEnd {
  /** Must end the connection. */
  readonly onAnswer: () => void;
  /** The client disconnected, or sent another request before this one was answered. */
  readonly onAborted: () => void;
}

/**
 * Refuses a request after its body has arrived. The body is read first and thrown away, so that the sender receives the whole
 * answer. At the limit of bytes or time, the answer is sent with the rest unread.
 *
 * The answer is written only after everything that was read has been parsed. Otherwise uWebSockets.js would serve the next request
 * of a pipeline after an answer that ends the connection. As it is, the next request ends the connection without an answer.
 */
export function answerAfterBody(sink: AnswerSink, { onAnswer, onAborted }: BodyEnd): void {
  let bytes = 0;
  let over = false;
  const settle = holdAnswer({
    sink,
    deadlineMs: REFUSED_BODY_DEADLINE_MS,
    onDeadline: onAnswer,
    onAborted,
    onEnd: () => {
      over = true;
    },
  });
  sink.onData((piece, isLast) => {
    bytes += piece.byteLength;
    if (over || (!isLast && bytes < REFUSED_BODY_BYTES_MAX)) return;
    over = true;
    setImmediate(() => settle(onAnswer));
  });
}
