import type pg from 'pg';
import { EXIT_FAILED } from '../../control-plane/cli/command-error.js';
import type { Demo } from '../../control-plane/cli/demo-project.js';
import { execute } from '../../control-plane/cli/execute.js';
import { linkdServiceSettings, linkdSettings } from '../../control-plane/cli/settings.js';
import { createDatabase, createLongStatementPool, type Database } from '../../control-plane/db/database.js';
import { migrate, schemaDifference } from '../../control-plane/db/migrate.js';
import { type OpenClickStore, openClickStore } from '../../control-plane/open-click-store.js';
import { packageVersion } from '../../shared/base/package-version.js';
import { withSecretsOfFiles } from '../../shared/base/secret-files.js';
import { readSettings } from '../../shared/base/settings.js';
import { parseSecretKeys, type SecretKeys } from '../../shared/secrets/seal.js';

/**
 * Entry point of the operator's command line, run by `linkd.mjs`. It is in this folder because some commands need both the control plane
 * and the engine. Modules of the engine are loaded when a command needs them.
 */
let pool: pg.Pool | undefined;
let clicks: OpenClickStore | undefined;

/** An import stores one batch while it prepares the next one. */
const CONNECTIONS = 2;
/** Long enough for the printed output to be read. */
const HANGING_MS = 2_000;

function databaseUrl(): string {
  const { databaseUrl } = linkdServiceSettings;
  return readSettings({ databaseUrl }, withSecretsOfFiles({ databaseUrl }, process.env)).databaseUrl;
}

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // The reader of the output has closed it, for example in `linkd deliveries tail | head`.
  if (error.code === 'EPIPE') process.exit();
  process.stderr.write(`linkd: standard output cannot be written: ${error.message}\n`);
  process.exit(EXIT_FAILED);
});

/**
 * A second Ctrl-C ends the process immediately, because the work that the first one stops may hang. SIGHUP means that the
 * terminal was closed.
 */
function interrupted(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => controller.abort());
  return controller.signal;
}

function secretKeys(): SecretKeys {
  const { secretsKeys } = linkdServiceSettings;
  return parseSecretKeys(readSettings({ secretsKeys }, withSecretsOfFiles({ secretsKeys }, process.env)).secretsKeys);
}

function openDatabase(): Database {
  pool ??= createLongStatementPool(databaseUrl(), 'linkd', () => {}, CONNECTIONS);
  return createDatabase(pool);
}

/** Erasures and exports may take long. A server that hangs is noticed before them. */
const CLICKHOUSE_TIMEOUT_MS = 3_600_000;
const CLICKHOUSE_FIRST_ANSWER_MS = 10_000;

function openClicks(): OpenClickStore {
  const { clickStore, clickHouseUrl } = linkdServiceSettings;
  const table = { clickStore, clickHouseUrl };
  clicks ??= openClickStore(readSettings(table, withSecretsOfFiles(table, process.env)), {
    application: 'linkd',
    timeoutMs: CLICKHOUSE_TIMEOUT_MS,
    firstAnswerMs: CLICKHOUSE_FIRST_ANSWER_MS,
  });
  return clicks;
}

/** The demo needs most of both the control plane and the engine, so it is loaded when it is first used. */
async function loadDemo(): Promise<Demo> {
  const { createDemo } = await import('../demo/demo.js');
  return createDemo({
    database: openDatabase,
    clicks: openClicks,
    environment: process.env,
    nowMs: Date.now,
    random: Math.random,
  });
}

process.exitCode = await execute(process.argv.slice(2), {
  version: packageVersion(new URL('../../../package.json', import.meta.url)),
  database: openDatabase,
  clickStore: () => openClicks().clickStore,
  clickRetentionDays: () => {
    const { clickRetentionDays } = linkdServiceSettings;
    return readSettings({ clickRetentionDays }, process.env).clickRetentionDays;
  },
  migrate: async (log) => {
    const applied = await migrate(databaseUrl(), { log });
    await openClicks().prepare();
    return applied;
  },
  schemaDifference: () => schemaDifference(databaseUrl()),
  linkUrlForm: () => {
    const { scheme, port } = readSettings({ scheme: linkdServiceSettings.linkScheme, port: linkdServiceSettings.linkPort }, process.env);
    return { scheme, port };
  },
  secretKeys,
  nowMs: Date.now,
  demo: {
    fill: async (options, onClicks) => (await loadDemo()).fill(options, onClicks),
    remove: async (name) => (await loadDemo()).remove(name),
    serve: async (options, until, serving) => (await loadDemo()).serve(options, until, serving),
  },
  shipSpool: async (dir, onClicks) =>
    (await import('../spool/ship.js')).shipSpool({
      dir,
      databaseUrl: databaseUrl(),
      clickHouse: openClicks().clickHouse,
      secretKeys: secretKeys(),
      onClicks,
    }),
  examine: async (examination) => {
    const findings = await (await import('../doctor/examine.js')).examine(examination, process.env, Date.now());
    // A query to a name server or a disk that hangs is no longer awaited, but would keep the process alive.
    setTimeout(() => process.exit(), HANGING_MS).unref();
    return findings;
  },
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
await clicks?.close();
