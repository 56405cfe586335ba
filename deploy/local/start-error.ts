/** Why a start cannot continue, in one line that can be printed as it is. It is not a fault of the program. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
