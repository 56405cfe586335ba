import type { Test } from 'tap';
import type { ApiDefaults } from '../../../control-plane/cli/api-client.js';
import { execute } from '../../../control-plane/cli/execute.js';
import { until } from '../../support/until.js';
import type { CommandAnswer } from './command-line.js';

/** Developers' commands, which work over the REST API and have no database. */

interface Printed {
  stdout: string;
  stderr: string;
}

const noDatabase = (): never => {
  throw new Error('a command over the REST API asks for the database');
};

function start(line: string, printed: Printed, defaults: Partial<ApiDefaults>, interrupted: AbortSignal): Promise<number> {
  return execute(line.split(' ').filter(Boolean), {
    version: '0.0.0',
    database: noDatabase,
    clickStore: noDatabase,
    clickRetentionDays: noDatabase,
    migrate: noDatabase,
    schemaDifference: noDatabase,
    linkUrlForm: noDatabase,
    secretKeys: noDatabase,
    standardInput: noDatabase,
    examine: noDatabase,
    shipSpool: noDatabase,
    demo: { fill: noDatabase, remove: noDatabase, serve: noDatabase },
    standardOutput: noDatabase,
    nowMs: Date.now,
    apiDefaults: () => ({ apiKey: '', baseUrl: '', dataDir: '/nonexistent', ...defaults }),
    serviceName: () => 'Service',
    interrupted: () => interrupted,
    terminal: null,
    write: (text) => {
      printed.stdout += text;
    },
    writeError: (text) => {
      printed.stderr += text;
    },
  });
}

/** Runs a command that ends by itself. Words are separated by blanks. */
export async function runOverApi(defaults: Partial<ApiDefaults>, line: string): Promise<CommandAnswer> {
  const printed = { stdout: '', stderr: '' };
  const status = await start(line, printed, defaults, new AbortController().signal);
  return { status, ...printed };
}

/** A command that runs until Ctrl-C. */
export interface Following {
  stdout(): string;
  stderr(): string;
  /** Waits for that many lines on standard output and returns them. */
  untilLines(count: number): Promise<readonly string[]>;
  /** Presses Ctrl-C and returns the exit code. */
  interrupt(): Promise<number>;
}

/** Starts the command, and waits until it says how to stop it. */
export async function followOverApi(t: Test, defaults: Partial<ApiDefaults>, line: string): Promise<Following> {
  const interruption = new AbortController();
  const printed = { stdout: '', stderr: '' };
  const ended = start(line, printed, defaults, interruption.signal);
  const interrupt = () => {
    interruption.abort();
    return ended;
  };
  t.teardown(interrupt);
  await until(() => printed.stderr.includes('Ctrl-C'), `${line} to print how to stop it`).catch((error: Error) => {
    throw new Error(`${error.message}: ${printed.stderr}`);
  });
  const lines = () => printed.stdout.split('\n').filter(Boolean);
  return {
    stdout: () => printed.stdout,
    stderr: () => printed.stderr,
    untilLines: (count) => until(() => lines().length >= count && lines(), `${count} lines of ${line}`),
    interrupt,
  };
}
