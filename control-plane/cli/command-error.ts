/** What the operator did or has to do, in one line; the command ends with `exitCode`. */
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
/** What the command names does not exist. */
export const EXIT_NOT_FOUND = 3;
/** PostgreSQL, or the server, cannot be reached. */
export const EXIT_UNAVAILABLE = 4;
/** Ctrl-C before the command was done; one that goes on until Ctrl-C is done then. As shells number it: 128 and SIGINT. */
export const EXIT_INTERRUPTED = 130;
