/** A thread ended before it had answered. What the task was to do is done as a whole or not at all; which of both is not known. */
export class ThreadLostError extends Error {
  override readonly name = 'ThreadLostError';
}
