import { Writable } from 'node:stream';
import type { Test } from 'tap';
import { execute } from '../../../control-plane/cli/execute.js';
import { postgresClicks } from '../../../control-plane/click-store/postgres-store.js';
import { createDatabase, createPool } from '../../../control-plane/db/database.js';
import { migrate, schemaDifference } from '../../../control-plane/db/migrate.js';
import { createDemo } from '../../../deploy/demo/demo.js';
import { examine } from '../../../deploy/doctor/examine.js';
import { shipSpool } from '../../../deploy/spool/ship.js';
import { parseSecretKeys } from '../../../shared/secrets/seal.js';

export interface CommandAnswer {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface JsonAnswer {
  readonly status: number;
  readonly stderr: string;
  // biome-ignore lint/suspicious/noExplicitAny: output is judged member by member
  readonly value: any;
}

export interface CommandLine {
  /** Words are separated by blanks, or given one by one. */
  run(line: string | readonly string[], input?: string): Promise<CommandAnswer>;
  /** Like `run`, with `--json`. Throws if the output is not JSON. */
  json(line: string | readonly string[], input?: string): Promise<JsonAnswer>;
}

/** Runs commands in this process, because starting a process for each takes half a second. */
export function commandLine(t: Test, databaseUrl: string, secretsKeys = '', clickRetentionDays = 400): CommandLine {
  const pool = createPool(databaseUrl, 2, 'linkd-test', () => {});
  t.teardown(() => pool.end());
  const run: CommandLine['run'] = async (line, input = '') => {
    let stdout = '';
    let stderr = '';
    const status = await execute(wordsOf(line), {
      version: '0.0.0',
      database: () => createDatabase(pool),
      clickStore: () => postgresClicks,
      clickRetentionDays: () => clickRetentionDays,
      migrate: (log) => migrate(databaseUrl, { log }),
      schemaDifference: () => schemaDifference(databaseUrl),
      linkUrlForm: () => ({ scheme: 'https', port: 0 }),
      secretKeys: () => parseSecretKeys(secretsKeys),
      nowMs: Date.now,
      demo: createDemo({
        database: () => createDatabase(pool),
        clicks: () => ({ clickStore: postgresClicks, clickHouse: null }),
        environment: { DATABASE_URL: databaseUrl, SECRETS_KEYS: secretsKeys },
        nowMs: Date.now,
        random: Math.random,
      }),
      shipSpool: (dir, onClicks) => shipSpool({ dir, databaseUrl, clickHouse: null, secretKeys: parseSecretKeys(secretsKeys), onClicks }),
      examine: (examination) => examine(examination, { DATABASE_URL: databaseUrl, SECRETS_KEYS: secretsKeys }, Date.now()),
      apiDefaults: () => ({ apiKey: '', baseUrl: '', dataDir: '/nonexistent' }),
      serviceName: () => 'Service',
      interrupted: () => new AbortController().signal,
      standardInput: async function* () {
        yield Buffer.from(input);
      },
      standardOutput: () =>
        new Writable({
          write(chunk, _encoding, done) {
            stdout += chunk;
            done();
          },
        }),
      terminal: null,
      write: (text) => {
        stdout += text;
      },
      writeError: (text) => {
        stderr += text;
      },
    });
    return { status, stdout, stderr };
  };
  return {
    run,
    async json(line, input) {
      const { status, stdout, stderr } = await run(['--json', ...wordsOf(line)], input);
      return { status, stderr, value: JSON.parse(stdout) };
    },
  };
}

function wordsOf(line: string | readonly string[]): readonly string[] {
  return typeof line === 'string' ? line.split(' ').filter(Boolean) : line;
}
