import type { AnswerSink } from './answer-sink.js';

export interface HeldAnswerOptions {
  readonly sink: AnswerSink;
  readonly deadlineMs: number;
  /** Answers, because the deadline has come. */
  readonly onDeadline: () => void;
  /** The client is gone. */
  readonly onAborted: () => void;
  /** It is settled, in whatever way. Called once, before the answer is written. */
  readonly onEnd: () => void;
}

/** Writes the answer, where nobody has before and the client is still there. */
export type Settle = (write: () => void) => void;

/** Holds a request that cannot be answered within its handler. It ends once: by its answer, its deadline or its client. */
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
