import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, renameSync, statSync } from 'node:fs';
import { totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { backoffMs } from '../../shared/base/backoff.js';
import { tryPort } from '../../shared/base/free-port.js';
import { takeLock } from '../../shared/base/process-lock.js';
import { assertTransition, type Predecessors } from '../../shared/base/transitions.js';
import { within } from '../../shared/base/within.js';
import { type Cluster, type ClusterOptions, openCluster, passwordFile, SUPERUSER } from './cluster.js';
import { prepareDatabase } from './database-owner.js';
import { howToCopy, noteOwner } from './noted-place.js';
import { readPrivateFile, writePrivateFile } from './private-file.js';
import { runAs } from './server-user.js';
import { sharedBuffersMb } from './shared-buffers.js';
import { disownStalePid, readPostmasterFile, stopStaleServer } from './stale-server.js';
import { StartError } from './start-error.js';

export interface PostgresOptions extends ClusterOptions {
  readonly connectionsMax: number;
  /** Called with what an operator should know while the server runs. */
  readonly log: (line: string) => void;
}

const HOST = '127.0.0.1';
/** The database, and the role that owns it. The role may change everything in the database and nothing else on the server. */
const DATABASE = 'link_service';
const OWNER = 'link_service';
/** Recovery after a crash replays at most the distance of one checkpoint (1 GB of log). That takes seconds, not minutes. */
const READY_TIMEOUT_MS = 60_000;
const READY_POLL_MS = 20;
/** Fast stop, then immediate stop, with the same steps as `stopStaleServer`. */
const FAST_STOP_MS = 10_000;
const IMMEDIATE_STOP_MS = 5000;
const RESTART_BASE_MS = 100;
const RESTART_CAP_MS = 5000;
const LOG_FILE_BYTES_MAX = 10 * 1024 * 1024;

/**
 * The state of the server. `stop()` or the death of the server ends `running`. After a death, the state becomes `waiting` and then
 * `starting` again, forever, with growing waits, on the same port, so that connection strings stay valid. `stopped` is final.
 */
type State =
  | { readonly is: 'starting' }
  | { readonly is: 'running'; readonly child: ChildProcess; readonly exited: Promise<void> }
  | { readonly is: 'waiting'; readonly timer: NodeJS.Timeout }
  | { readonly is: 'stopped' };

const PREDECESSORS: Predecessors<State['is']> = {
  starting: ['waiting'],
  running: ['starting'],
  waiting: ['starting', 'running'],
  stopped: ['starting', 'running', 'waiting', 'stopped'],
};

export class Postgres {
  readonly #cluster: Cluster;
  readonly #options: PostgresOptions;
  readonly #port: number;
  #release: () => void;
  #state: State = { is: 'starting' };
  #deaths = 0;
  #failuresInRow = 0;
  /** Settles when the current start is over; `stop()` waits for it. */
  #starting: Promise<void> = Promise.resolve();

  /** `release` is called when the server has been stopped. */
  constructor(cluster: Cluster, port: number, options: PostgresOptions, release: () => void) {
    this.#cluster = cluster;
    this.#port = port;
    this.#options = options;
    this.#release = release;
  }

  /** Connection string of the service's database, as its owner. */
  url(): string {
    return `postgres://${OWNER}:${this.#cluster.ownerPassword}@${HOST}:${this.#port}/${DATABASE}`;
  }

  /** Connection string of one of the server's databases, as superuser. */
  superuserUrl(database: string): string {
    return `postgres://${SUPERUSER}:${this.#cluster.password}@${HOST}:${this.#port}/${database}`;
  }

  stats(): { readonly pid: number | null; readonly restarts: number } {
    return { pid: this.#state.is === 'running' ? (this.#state.child.pid ?? null) : null, restarts: this.#deaths };
  }

  /** Starts the server, and creates the service's database if it is missing. Throws `StartError`. */
  async start(): Promise<void> {
    this.#starting = this.#run();
    await this.#starting;
    try {
      await prepareDatabase((database) => this.superuserUrl(database), {
        database: DATABASE,
        owner: OWNER,
        password: this.#cluster.ownerPassword,
      });
    } catch (error) {
      if (!isWrongPassword(error)) throw error;
      const { folder } = this.#cluster;
      throw new StartError(
        `${passwordFile(this.#options.dataDir)} is not the password of the database in ${folder}: put back the file that belongs to it, or begin with an empty database: mv '${folder}' '${folder}-earlier'`,
      );
    }
  }

  async #run(): Promise<void> {
    const { folder } = this.#cluster;
    await stopStaleServer(folder, this.#options.log);
    disownStalePid(folder);
    const logFile = openLogFile(this.#options.dataDir);
    const child = spawn(this.#cluster.binaries.postgres, this.#flags(), {
      ...runAs(this.#cluster.user),
      // A separate session: Ctrl-C in a terminal must not stop the server before the processes that use it.
      detached: true,
      stdio: ['ignore', logFile, logFile],
    });
    closeSync(logFile);
    const exited = new Promise<void>((resolve) => {
      child.once('exit', () => resolve());
      child.once('error', () => resolve());
    });
    await whenReady(child, folder, logPath(this.#options.dataDir));
    this.#become({ is: 'running', child, exited });
    void exited.then(() => this.#died(child));
  }

  #flags(): readonly string[] {
    const settings = {
      listen_addresses: HOST,
      port: this.#port,
      unix_socket_directories: '',
      max_connections: this.#options.connectionsMax,
      ...(this.#options.durable
        ? { shared_buffers: `${sharedBuffersMb(totalmem(), process.constrainedMemory())}MB` }
        : { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' }),
    };
    return ['-D', this.#cluster.folder, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
  }

  #died(child: ChildProcess): void {
    if (this.#state.is !== 'running' || this.#state.child !== child) return;
    this.#deaths++;
    this.#failuresInRow = 0;
    this.#options.log(`PostgreSQL stopped unexpectedly (${child.signalCode ?? child.exitCode}); starting it again`);
    this.#restartLater();
  }

  #restartLater(): void {
    const timer = setTimeout(
      () => {
        this.#become({ is: 'starting' });
        this.#starting = this.#run().then(
          () => {
            this.#failuresInRow = 0;
            this.#options.log('PostgreSQL is running again');
          },
          (error: unknown) => {
            this.#failuresInRow++;
            this.#options.log(`PostgreSQL did not start: ${error instanceof Error ? error.message : String(error)}`);
            this.#restartLater();
          },
        );
      },
      RESTART_BASE_MS + backoffMs(this.#failuresInRow, RESTART_BASE_MS, RESTART_CAP_MS),
    );
    this.#become({ is: 'waiting', timer });
  }

  #become(state: State): void {
    assertTransition('PostgreSQL', PREDECESSORS, this.#state.is, state.is);
    this.#state = state;
  }

  /**
   * Stops the server fast and cleanly: open transactions are rolled back and a checkpoint is written. Ends within 15 s whatever happens.
   */
  async stop(): Promise<void> {
    await this.#end();
    this.#release();
    this.#release = () => {};
  }

  async #end(): Promise<void> {
    await this.#starting.catch(() => {}); // the caller of start() has received the error
    const state = this.#state;
    this.#become({ is: 'stopped' });
    if (state.is === 'waiting') clearTimeout(state.timer);
    if (state.is !== 'running') return;
    const steps = [
      { signal: 'SIGINT', waitMs: FAST_STOP_MS },
      { signal: 'SIGQUIT', waitMs: IMMEDIATE_STOP_MS },
    ] as const;
    const ended = state.exited.then(() => true);
    for (const { signal, waitMs } of steps) {
      state.child.kill(signal);
      if (await within(waitMs, ended)) return;
    }
    state.child.kill('SIGKILL');
    await state.exited;
  }
}

/** SQLSTATE invalid_password. */
function isWrongPassword(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '28P01';
}

function logPath(dataDir: string): string {
  return join(dataDir, 'logs', 'postgres.log');
}

/** A file instead of a pipe, because the server must still be able to log when this process is killed. One older file is kept. */
function openLogFile(dataDir: string): number {
  const path = logPath(dataDir);
  mkdirSync(join(dataDir, 'logs'), { recursive: true, mode: 0o700 });
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > LOG_FILE_BYTES_MAX) renameSync(path, `${path}.1`);
  return openSync(path, 'a', 0o600);
}

/** The server writes into postmaster.pid when it accepts connections; `pg_ctl -w` reads it too. */
async function whenReady(child: ChildProcess, folder: string, logFile: string): Promise<void> {
  const deadline = performance.now() + READY_TIMEOUT_MS;
  let failure: Error | null = null;
  child.once('error', (error) => {
    failure = error;
  });
  for (;;) {
    if (failure !== null) throw failure;
    if (child.exitCode !== null || child.signalCode !== null)
      throw new StartError(`PostgreSQL ended while it started (${child.signalCode ?? child.exitCode}); see the reason in ${logFile}`);
    const noted = readPostmasterFile(folder);
    if (noted?.pid === child.pid && noted?.status === 'ready') return;
    if (performance.now() > deadline) {
      child.kill('SIGKILL');
      throw new StartError(`PostgreSQL is not ready after ${READY_TIMEOUT_MS / 1000} s; see ${logFile}`);
    }
    await new Promise((resolve) => setTimeout(resolve, READY_POLL_MS));
  }
}

/** The port of the last start, so that connection strings stay valid across starts, or another port if that one is taken. */
async function choosePort(dataDir: string): Promise<number> {
  const note = join(dataDir, 'postgres-port');
  const last = Number(readPrivateFile(note) ?? 0);
  const again = await tryPort(HOST, last);
  const binding = again.taken ? await tryPort(HOST, 0) : again;
  if (binding.taken) throw new StartError(`there is no free port on ${HOST} for PostgreSQL (${binding.reason})`);
  writePrivateFile(note, String(binding.port));
  return binding.port;
}

/**
 * Holds the database until it is released or this process ends, and notes its owner. Only a copy of DATA_DIR can name the database of
 * another one, and without the lock its start would take that one's server for a left-over.
 */
function holdDatabase(folder: string, options: PostgresOptions): () => void {
  const parent = dirname(folder);
  const lock = takeLock(join(parent, 'start.lock'));
  if (lock.outcome === 'taken')
    throw new StartError(
      `the database in ${parent} is in use by the service that runs on another DATA_DIR (process ${lock.by.pid}): ${howToCopy(parent, options)}`,
    );
  noteOwner(parent, options);
  return () => lock.release();
}

/** Prepares the cluster of `dataDir` if there is none, and starts it. Throws `StartError`. */
export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  const cluster = await openCluster(options);
  const release = holdDatabase(cluster.folder, options);
  let postgres: Postgres | null = null;
  try {
    // Before the port is chosen, because a server that is left over holds the port of the known connection strings.
    await stopStaleServer(cluster.folder, options.log);
    postgres = new Postgres(cluster, await choosePort(options.dataDir), options, release);
    await postgres.start();
    return postgres;
  } catch (error) {
    await postgres?.stop();
    release();
    throw error;
  }
}
