import type pg from 'pg';
import { execute } from '../../control-plane/cli/execute.js';
import { linkdServiceSettings, linkdSettings } from '../../control-plane/cli/settings.js';
import { createDatabase, createLongStatementPool } from '../../control-plane/db/database.js';
import { migrate, pendingMigrations } from '../../control-plane/db/migrate.js';
import { withSecretsOfFiles } from '../../shared/base/secret-files.js';
import { readSettings } from '../../shared/base/settings.js';
import { parseSecretKeys } from '../../shared/secrets/seal.js';

/**
 * Entry of the operator's command line, run by `linkd.mjs`. It stands here because some commands need both halves; what they
 * need of the engine is loaded when they run.
 */
let pool: pg.Pool | undefined;

/** An import stores one batch while it prepares the next one. */
const CONNECTIONS = 2;

function databaseUrl(): string {
  const { databaseUrl } = linkdServiceSettings;
  return readSettings({ databaseUrl }, withSecretsOfFiles({ databaseUrl }, process.env)).databaseUrl;
}

// The reader of the output has closed it: `linkd deliveries tail | head`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

/** A second Ctrl-C ends the process immediately, because the work that the first one stops may hang. */
function interrupted(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => controller.abort());
  return controller.signal;
}

process.exitCode = await execute(process.argv.slice(2), {
  database: () => {
    pool ??= createLongStatementPool(databaseUrl(), 'linkd', () => {}, CONNECTIONS);
    return createDatabase(pool);
  },
  migrate: (log) => migrate(databaseUrl(), log),
  pendingMigrations: () => pendingMigrations(databaseUrl()),
  linkUrlForm: () => {
    const { scheme, port } = readSettings({ scheme: linkdServiceSettings.linkScheme, port: linkdServiceSettings.linkPort }, process.env);
    return { scheme, port };
  },
  secretKeys: () => {
    const { secretsKeys } = linkdServiceSettings;
    return parseSecretKeys(readSettings({ secretsKeys }, withSecretsOfFiles({ secretsKeys }, process.env)).secretsKeys);
  },
  nowMs: Date.now,
  examine: async (examination) => (await import('../doctor/examine.js')).examine(examination, process.env, Date.now()),
  apiDefaults: () => readSettings(linkdSettings, withSecretsOfFiles(linkdSettings, process.env)),
  serviceName: () => readSettings(linkdSettings, process.env).serviceName,
  interrupted,
  standardInput: () => process.stdin,
  standardOutput: () => process.stdout,
  terminal: process.stderr.isTTY ? process.stderr : null,
  write: (text) => process.stdout.write(text),
  writeError: (text) => process.stderr.write(text),
});
await pool?.end();
