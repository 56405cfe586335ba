/** A thread ended before it returned the result of a task. The task was done completely or not at all; which of the two is unknown. */
export class ThreadLostError extends Error {
  override readonly name = 'ThreadLostError';
}
