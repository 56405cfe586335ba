#!/usr/bin/env node
import { CommanderError } from 'commander';
import type pg from 'pg';
import { sharedSettings } from '../../shared/base/service-settings.js';
import { readSettings, SettingError } from '../../shared/base/settings.js';
import { createDatabase, createPool, DatabaseUnavailableError } from '../db/database.js';
import { migrate } from '../db/migrate.js';
import { CommandError, EXIT_FAILED, EXIT_UNAVAILABLE, EXIT_USAGE } from './command-error.js';
import { buildProgram } from './program.js';

/** Entry of the operator's command line. */
let pool: pg.Pool | undefined;

function databaseUrl(): string {
  return readSettings({ databaseUrl: sharedSettings.databaseUrl }, process.env).databaseUrl;
}

const program = buildProgram({
  database: () => {
    pool ??= createPool(databaseUrl(), 1, 'linkd', () => {});
    return createDatabase(pool);
  },
  migrate: (log) => migrate(databaseUrl(), log),
  nowMs: Date.now,
  write: (text) => process.stdout.write(text),
  writeError: (text) => process.stderr.write(text),
});

/** The exit code of what went wrong, after its one line; the stack only where the fault is ours. */
function exitCodeOf(error: unknown): number {
  // commander has printed its own line already; `--help` comes as an error with code 0.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_USAGE;
  if (error instanceof CommandError || error instanceof SettingError) {
    console.error(`linkd: ${error.message}`);
    return error instanceof CommandError ? error.exitCode : EXIT_USAGE;
  }
  if (error instanceof DatabaseUnavailableError || (error instanceof Error && 'code' in error && 'syscall' in error)) {
    const cause = error.cause instanceof Error ? error.cause : error;
    console.error(`linkd: PostgreSQL is out of reach: ${cause.message}`);
    return EXIT_UNAVAILABLE;
  }
  console.error(error);
  return EXIT_FAILED;
}

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = exitCodeOf(error);
} finally {
  await pool?.end();
}
