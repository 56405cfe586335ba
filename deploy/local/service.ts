import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createDatabase, createPool, DatabaseUnavailableError, reasonOf } from '../../control-plane/db/database.js';
import { migrate } from '../../control-plane/db/migrate.js';
import type { Pidfile } from '../../engine/supervisor/pidfile.js';
import { systemClock } from '../../shared/base/clock.js';
import { DRAIN_DEADLINE_MS } from '../../shared/base/limits.js';
import { openPrivateFolder } from '../../shared/base/private-files.js';
import { takeLock } from '../../shared/base/process-lock.js';
import { withSecretsOfFiles } from '../../shared/base/secret-files.js';
import type { EnvironmentName } from '../../shared/records/records.js';
import { LinkServiceError } from '../../shared/sdk/errors.js';
import { type SampleApi, startSampleApi } from '../demo/sample-api.js';
import { banner } from './banner.js';
import { type Credentials, credentialsFile, readKeys, writeCredentials } from './credentials.js';
import { type Demo, LINK_HOSTS, prepareDemo } from './demo.js';
import { choosePorts, originOf, shownOriginOf } from './ports.js';
import { startPostgres } from './postgres.js';
import { writePrivateFile } from './private-file.js';
import { findSample, prepareSampleType, type SampleState, untilCardIsLive } from './sample-type.js';
import { readOrMakeSecretsKeys } from './secrets-key.js';
import { type LocalSettings, type LocalStart, localSettings } from './settings.js';
import { endStaleProcesses } from './stale-processes.js';
import { StartError } from './start-error.js';
import { SupervisedProcess } from './supervise.js';

/**
 * After a start that was killed, a taken port or store may be held by processes that are draining: redirect processes of a killed engine,
 * or a process that was started so recently that it has no pidfile yet. They end within the drain's deadline.
 */
const GRACE_MS = DRAIN_DEADLINE_MS + 1000;
/** A drain has its own deadline. A process that has not ended a little later hangs. */
const STOP_TIMEOUT_MS = DRAIN_DEADLINE_MS + 3000;
const POSTGRES_CONNECTIONS_MAX = 200;

type Ports = Record<keyof LocalStart['ports'], number>;

export interface Output {
  /** Prints what the operator asked for: steps, keys, addresses. */
  readonly say: (line: string) => void;
  /** Prints what went wrong and was repaired. */
  readonly warn: (line: string) => void;
  /** Whether a person reads it on a terminal. Elsewhere, for example in a journal, a line is kept for as long as the log. */
  readonly terminal: boolean;
}

/** Undoes one step of the start. Steps are undone in the opposite order. */
export type Undo = () => Promise<void> | void;

/** The two processes of the service, for a caller that no longer wants to wait for them. */
export interface Running {
  kill(): void;
}

/**
 * Starts the whole service: data folder, PostgreSQL, schema, demo project, control plane and engine. `undo` contains what undoes the steps
 * so far, even if this throws. Checks `aborted` between the steps. Throws `StartError` or `SettingError`.
 */
export async function startService(start: LocalStart, aborted: AbortSignal, output: Output, undo: Undo[]): Promise<Running> {
  const { local } = start;
  openDataDir(local.dataDir);
  const lockFile = join(local.dataDir, 'start.lock');
  // A clean stop removes the file.
  const lastWasKilled = existsSync(lockFile);
  const lock = takeLock(lockFile);
  if (lock.outcome === 'taken') throw new StartError(`the service is already running on ${local.dataDir} (process ${lock.by.pid})`);
  undo.push(() => lock.release());
  const pidfile = await endStaleProcesses(join(local.dataDir, 'processes'), output.say);
  const graceMs = lastWasKilled ? GRACE_MS : 0;
  const ports = await choosePorts(start.ports, graceMs);
  const secrets = readOrMakeSecretsKeys(local.secretsKeys, local.dataDir);
  aborted.throwIfAborted();

  const databaseUrl = local.databaseUrl || (await startDatabase(local, output, undo));
  aborted.throwIfAborted();
  await prepareSchema(databaseUrl, local, output);
  const { demo, sample } = await openDemo(databaseUrl, local);
  if (secrets.made && !demo.first)
    output.warn(
      `created a new ${join(local.dataDir, 'secrets-key')}: webhook secrets that were encrypted with the lost one cannot be decrypted`,
    );
  const credentials = credentialsOf(start, ports, demo);
  // Written before anything serves, because a start that fails later must not lose new keys.
  writeCredentials(local.dataDir, credentials);
  aborted.throwIfAborted();

  const sampleApi = sample.kind === 'left' ? null : await startSample(sample, ports, undo);
  const environment = childEnvironment(start, ports, {
    databaseUrl,
    secretsKeys: secrets.keys,
    sampleOrigins: sampleApi === null ? [] : [sampleApi.origin],
  });
  const processes = await startProcesses({ start, ports, environment, pidfile, graceMs, aborted, output, undo });
  aborted.throwIfAborted();
  const showsSample = sampleApi !== null && (await showSample(start, { ports, demo, sample, api: sampleApi, aborted, output }));
  aborted.throwIfAborted();
  const adminUrls = [
    originOf(start.ports.controlPlaneAdmin.host, ports.controlPlaneAdmin),
    originOf(start.ports.engineAdmin.host, ports.engineAdmin),
  ];
  output.say(
    banner({
      credentials,
      credentialsFile: credentialsFile(local.dataDir),
      databaseUrlFile: local.databaseUrl === '' ? databaseUrlFile(local) : null,
      made: demo.made,
      first: demo.first,
      showsSample,
      showsKeys: output.terminal,
      adminUrls,
    }),
  );
  return { kill: () => processes.forEach((process) => void process.kill()) };
}

function openDataDir(folder: string): void {
  try {
    const found = statSync(folder, { throwIfNoEntry: false });
    if (found?.isDirectory() === false) throw new StartError(`DATA_DIR ${folder} is not a folder`);
    if (found !== undefined) accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    openPrivateFolder(folder, []);
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(`DATA_DIR ${folder} cannot be used: ${(error as NodeJS.ErrnoException).code ?? String(error)}`);
  }
}

function databaseUrlFile(local: LocalSettings): string {
  return join(local.dataDir, 'database-url');
}

async function startDatabase(local: LocalSettings, output: Output, undo: Undo[]): Promise<string> {
  const postgres = await startPostgres({
    dataDir: local.dataDir,
    reachableDir: local.embeddedPostgresDir,
    durable: true,
    connectionsMax: POSTGRES_CONNECTIONS_MAX,
    progress: (step) => output.say(`preparing PostgreSQL: ${step}`),
    log: output.warn,
  });
  undo.push(() => postgres.stop());
  // For the command line and for psql.
  writePrivateFile(databaseUrlFile(local), postgres.url());
  return postgres.url();
}

async function prepareSchema(databaseUrl: string, local: LocalSettings, output: Output): Promise<void> {
  try {
    for (const name of await migrate(databaseUrl)) output.say(`preparing the schema: ${name}`);
  } catch (error) {
    // With the embedded server, this would be a fault of the program, which must not be reduced to one line.
    if (local.databaseUrl === '' || !(error instanceof DatabaseUnavailableError)) throw error;
    throw new StartError(`DATABASE_URL cannot be used: ${reasonOf(error)}`);
  }
}

async function openDemo(databaseUrl: string, local: LocalSettings): Promise<{ readonly demo: Demo; readonly sample: SampleState }> {
  const pool = createPool(databaseUrl, 1, 'local-start', () => {}); // a connection that is lost is replaced at its next use
  try {
    const database = createDatabase(pool);
    const demo = await prepareDemo(database, readKeys(local.dataDir), systemClock);
    return { demo, sample: await findSample(database) };
  } finally {
    await pool.end();
  }
}

async function startSample(sample: SampleState, ports: Ports, undo: Undo[]): Promise<SampleApi> {
  const api = await startSampleApi({ wanted: sample.kind === 'made' ? sample.port : 0, avoided: Object.values(ports) });
  undo.push(() => api.stop());
  return api;
}

interface SampleShown {
  readonly ports: Ports;
  readonly demo: Demo;
  readonly sample: SampleState;
  readonly api: SampleApi;
  readonly aborted: AbortSignal;
  readonly output: Output;
}

/** Returns whether a card of the demo can be shown. The service also works without one. */
async function showSample(start: LocalStart, { ports, demo, sample, api, aborted, output }: SampleShown): Promise<boolean> {
  const baseUrl = `${originOf(start.ports.controlPlane.host, ports.controlPlane)}/v1`;
  try {
    const changed = await prepareSampleType({ baseUrl, secretKey: demo.keys.live.secret_key, state: sample, api });
    if (changed) await untilCardIsLive(originOf(start.ports.engine.host, ports.engine), aborted);
    return true;
  } catch (error) {
    if (!(error instanceof LinkServiceError)) throw error;
    output.warn(`the demo's resource type could not be made: ${error.message}`);
    return false;
  }
}

function shownLinkPort({ local }: LocalStart, ports: Ports): number {
  return local.linkPort === '' ? ports.engine : Number(local.linkPort);
}

function credentialsOf(start: LocalStart, ports: Ports, { keys }: Demo): Credentials {
  const port = shownLinkPort(start, ports);
  const origin = (name: EnvironmentName) => `${start.local.linkScheme}://${LINK_HOSTS[name]}${port === 0 ? '' : `:${port}`}`;
  const controlPlane = shownOriginOf(start.ports.controlPlane.host, ports.controlPlane);
  return {
    base_url: `${controlPlane}/v1`,
    dashboard_url: `${controlPlane}/dashboard/`,
    test: { ...keys.test, link_origin: origin('test') },
    live: { ...keys.live, link_origin: origin('live') },
  };
}

interface Filled {
  readonly databaseUrl: string;
  readonly secretsKeys: string;
  /** The origin of the sample API; empty if there is none. */
  readonly sampleOrigins: readonly string[];
}

function childEnvironment(start: LocalStart, ports: Ports, { databaseUrl, secretsKeys, sampleOrigins }: Filled): NodeJS.ProcessEnv {
  const { local } = start;
  return {
    ...withSecretsOfFiles(localSettings, process.env),
    DATA_DIR: local.dataDir,
    DATABASE_URL: databaseUrl,
    SECRETS_KEYS: secretsKeys,
    // PostgreSQL is migrated already. The tables of clicks are made as soon as ClickHouse can be reached.
    MIGRATE_AT_START: 'true',
    OUTBOUND_ALLOW: [...local.outboundAllow, ...sampleOrigins].join(','),
    PUBLIC_LINK_SCHEME: local.linkScheme,
    PUBLIC_LINK_PORT: String(shownLinkPort(start, ports)),
    LOG_LEVEL: local.logLevel,
    ...Object.fromEntries(
      Object.entries(start.ports).flatMap(([name, request]) =>
        request === null ? [] : [[request.setting, String(ports[name as keyof Ports])]],
      ),
    ),
  };
}

interface ProcessesInput {
  readonly start: LocalStart;
  readonly ports: Ports;
  readonly environment: NodeJS.ProcessEnv;
  readonly pidfile: Pidfile;
  readonly graceMs: number;
  readonly aborted: AbortSignal;
  readonly output: Output;
  readonly undo: Undo[];
}

/** Starts both at the same time, and stops them together: neither needs the other, and the database outlives them. */
async function startProcesses(input: ProcessesInput): Promise<readonly SupervisedProcess[]> {
  const { start, ports, environment, pidfile, graceMs, aborted, output, undo } = input;
  const specs = [
    { name: 'control plane', folder: 'control-plane', host: start.ports.controlPlaneAdmin.host, port: ports.controlPlaneAdmin },
    { name: 'engine', folder: 'engine', host: start.ports.engineAdmin.host, port: ports.engineAdmin },
  ];
  const options = { log: output.warn, onStarted: (pid: number) => pidfile.add(pid), onEnded: (pid: number) => pidfile.remove(pid) };
  const processes = specs.map(({ name, folder, host, port }) => {
    const entry = fileURLToPath(new URL(`../../${folder}/main.js`, import.meta.url));
    return new SupervisedProcess({ name, entry, environment, readyUrl: `${originOf(host, port)}/health/ready` }, options);
  });
  undo.push(async () => {
    await Promise.all(processes.map((process) => process.stop(STOP_TIMEOUT_MS)));
  });
  for (const process of processes) process.start();
  await Promise.all(processes.map((process) => process.ready(aborted, graceMs)));
  return processes;
}
