/** Why a start cannot go on, in one line fit to be printed as it is before the process ends. Not a fault of the program. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
