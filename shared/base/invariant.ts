/** A fault of this program, never of a caller or of the outside world. It is not caught and answered: it ends the unit of work. */
export class InvariantError extends Error {
  override readonly name = 'InvariantError';
}

/** States what the code relies on. */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new InvariantError(message);
}
