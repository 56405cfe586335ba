/** An error that the operator can act on, in one line. The command ends with `exitCode`. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitCode: number;

  constructor(message: string, exitCode: number = EXIT_FAILED) {
    super(message);
    this.exitCode = exitCode;
  }
}

export const EXIT_FAILED = 1;
/** The command line itself is wrong. */
export const EXIT_USAGE = 2;
/** The object that the command names does not exist. */
export const EXIT_NOT_FOUND = 3;
/** PostgreSQL, or the server, cannot be reached. */
export const EXIT_UNAVAILABLE = 4;
/** Ctrl-C ended the command before it was done. The number is that of shells: 128 plus SIGINT. */
export const EXIT_INTERRUPTED = 130;
