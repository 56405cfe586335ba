import { join } from 'node:path';
import type { EngineHealth } from '../../engine/processes/health.js';
import type { EngineReady } from '../../engine/processes/messages.js';
import { until } from './until.js';
import { type ProgramOptions, startProcess, type WholeProcess } from './whole-process.js';

/** One key that seals stored credentials, the same in every process of a test. */
export const TEST_SECRETS_KEYS = `test:${Buffer.alloc(32, 7).toString('base64')}`;

export interface EngineOptions extends ProgramOptions {
  readonly databaseUrl: string;
  /** The folder of store and spool. Another start on the same folder finds them again. */
  readonly dataDir: string;
  readonly processes?: number;
  readonly environment?: Readonly<Record<string, string>>;
}

export interface TestEngine extends WholeProcess {
  /** Port of the link hosts. */
  readonly port: number;
  /** 0 without certificates. */
  readonly tlsPort: number;
  readonly adminPort: number;
  health(): Promise<EngineHealth>;
  metrics(): Promise<string>;
  /** Resolves when every part reports that it is well. */
  whenReady(): Promise<void>;
  /** Process ids by name: `redirect-0`, `background`. */
  pids(): Promise<ReadonlyMap<string, number>>;
  /** Kills the process of that name. Returns false if there was none at that moment, as during a restart. */
  killProcess(name: string): Promise<boolean>;
}

/** Starts the whole engine: supervisor, redirect processes and `background`. Resolves when its redirect processes serve. */
export async function startEngine(options: EngineOptions): Promise<TestEngine> {
  const started = startProcess(
    'engine/main.js',
    {
      DATABASE_URL: options.databaseUrl,
      DATA_DIR: options.dataDir,
      SECRETS_KEYS: TEST_SECRETS_KEYS,
      ENGINE_PORT: '0',
      ENGINE_TLS_PORT: '0',
      ENGINE_HOST: '127.0.0.1',
      ENGINE_ADMIN_PORT: '0',
      REDIRECT_PROCESSES: String(options.processes ?? 2),
      SPOOL_BYTES_MAX: String(256 * 1024 ** 2),
      PUBLIC_LINK_SCHEME: 'http',
      WEBHOOK_THREADS: '1',
      ...options.environment,
    },
    join(options.dataDir, 'engine.log'),
    options,
  );
  const { port, tls_port: tlsPort, admin_port: adminPort } = await started.message<EngineReady>('ready');
  const health = async () => (await (await fetch(`http://127.0.0.1:${adminPort}/health/ready`)).json()) as EngineHealth;
  const whenReady = async () => {
    let last: EngineHealth | null = null;
    try {
      await until(async () => {
        last = await health();
        return last.status === 'ok';
      }, 'the engine to be ready');
    } catch (error) {
      throw new Error(`${(error as Error).message}: ${JSON.stringify(last)}\n${started.output().slice(-2000)}`);
    }
  };
  const pids = async () => new Map((await health()).processes.flatMap(({ name, pid }) => (pid === null ? [] : [[name, pid] as const])));
  return {
    ...started,
    port,
    tlsPort,
    adminPort,
    health,
    whenReady,
    metrics: async () => (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text(),
    pids,
    async killProcess(name) {
      const pid = (await pids()).get(name);
      return pid !== undefined && killIfThere(pid);
    },
  };
}

/** The supervisor may name a process that ended a moment ago. */
function killIfThere(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}
