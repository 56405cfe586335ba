/** Why the start failed, in one line that is printed before the process exits. Not a fault of the program. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
