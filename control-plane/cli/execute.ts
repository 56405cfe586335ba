import { ClickHouseError } from '@clickhouse/client';
import { CommanderError } from 'commander';
import { SettingError } from '../../shared/base/settings.js';
import { ClickHouseUnavailableError } from '../../shared/clickhouse/connection.js';
import { DatabaseUnavailableError, reasonOf } from '../db/database.js';
import { CommandError, EXIT_FAILED, EXIT_INTERRUPTED, EXIT_UNAVAILABLE, EXIT_USAGE } from './command-error.js';
import { buildProgram } from './program.js';
import type { ProgramDependencies } from './run.js';
import { explained } from './schema.js';

/** Runs one command line, given without the names of the interpreter and the program. Returns the exit code. */
export async function execute(parameters: readonly string[], dependencies: ProgramDependencies): Promise<number> {
  try {
    await buildProgram(dependencies).parseAsync(parameters, { from: 'user' });
    return 0;
  } catch (error) {
    return tellFailure(await explained(error, dependencies), dependencies.writeError);
  }
}

/** System calls that connect to a server. Errors of other system calls concern files. */
const CONNECTING: ReadonlySet<string> = new Set(['connect', 'getaddrinfo']);

function isOfSystem(error: unknown): error is Error & { readonly syscall: string } {
  return error instanceof Error && 'code' in error && 'syscall' in error && typeof error.syscall === 'string';
}

/** Prints one line about the error and returns its exit code. Prints the stack only for a bug in the program. */
function tellFailure(error: unknown, writeError: (text: string) => void): number {
  // commander has printed its own line already. It reports `--help` as an error with code 0.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_USAGE;
  if (error instanceof Error && error.name === 'AbortError') return EXIT_INTERRUPTED;
  if (error instanceof CommandError || error instanceof SettingError) {
    writeError(`linkd: ${error.message}\n`);
    return error instanceof CommandError ? error.exitCode : EXIT_USAGE;
  }
  if (error instanceof DatabaseUnavailableError || (isOfSystem(error) && CONNECTING.has(error.syscall))) {
    writeError(`linkd: PostgreSQL cannot be reached; check DATABASE_URL: ${reasonOf(error)}\n`);
    return EXIT_UNAVAILABLE;
  }
  if (error instanceof ClickHouseUnavailableError) {
    writeError(`linkd: ${error.message}${error.cause instanceof ClickHouseError ? '' : '; check CLICKHOUSE_URL'}\n`);
    return EXIT_UNAVAILABLE;
  }
  if (isOfSystem(error)) {
    writeError(`linkd: ${error.message}\n`);
    return EXIT_FAILED;
  }
  writeError(`${error instanceof Error ? error.stack : String(error)}\n`);
  return EXIT_FAILED;
}
