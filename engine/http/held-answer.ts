import type { AnswerSink } from './answer-sink.js';

export interface HeldAnswerOptions {
  readonly sink: AnswerSink;
  readonly deadlineMs: number;
  /** Writes an answer because the deadline has passed. */
  readonly onDeadline: () => void;
  /** Called if the client has disconnected. */
  readonly onAborted: () => void;
  /** Called once, whatever ended the request, and before the answer is written. */
  readonly onEnd: () => void;
}

/** Writes the answer, unless the request has ended already. */
export type Settle = (write: () => void) => void;

/**
 * Holds a request that cannot be answered within its handler. It ends once: with its answer, at its deadline, or when its client
 * disconnects.
 */
export function holdAnswer({ sink, deadlineMs, onDeadline, onAborted, onEnd }: HeldAnswerOptions): Settle {
  let open = true;
  const end = (): boolean => {
    if (!open) return false;
    open = false;
    clearTimeout(deadline);
    onEnd();
    return true;
  };
  const deadline = setTimeout(() => {
    if (end()) sink.cork(onDeadline);
  }, deadlineMs);
  sink.onAborted(() => {
    if (end()) onAborted();
  });
  return (write) => {
    if (end()) sink.cork(write);
  };
}
