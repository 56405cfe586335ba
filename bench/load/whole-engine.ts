import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { EngineReady } from '../../engine/processes/messages.js';
import { spoolFolder } from '../../engine/settings.js';
import { readDroppedClicks } from '../../engine/spool/drop-counters.js';
import { nextMessage } from './pinned-process.js';
import { childrenOf } from './process-cost.js';

const ENGINE = fileURLToPath(new URL('../../engine/main.js', import.meta.url));
const READY_MS_MAX = 30_000;

/** Supervisor, redirect processes and `background`, behind a proxy whose `X-Forwarded-For` they trust. */
export interface WholeEngine {
  readonly pid: number;
  /** Of the link hosts. */
  readonly port: number;
  readonly dataDir: string;
  /** Returns the number of clicks for which the spool had no room. */
  droppedClicks(): number;
  /** Replaces every process with a new one. Resolves when all are new, and well. */
  rollingRestart(): Promise<void>;
  stop(): Promise<void>;
}

export interface WholeEngineOptions {
  readonly databaseUrl: string;
  /** The folder for the store, the spool and the engine's output. */
  readonly dataDir: string;
  /** The keys of the control plane too: what one of them seals the other opens. */
  readonly secretsKeys: string;
  /** How long it may take to become well: 30 s if absent. */
  readonly readyMsMax?: number;
  /** Called with the port of the link hosts when they listen. The start waits for the engine and for this at the same time. */
  onListening?(port: number): Promise<void>;
}

const isReady = (message: unknown): message is EngineReady => (message as EngineReady | null)?.type === 'ready';

/** Resolves when every part reports that it is well. */
export async function startWholeEngine(options: WholeEngineOptions): Promise<WholeEngine> {
  const { databaseUrl, dataDir, secretsKeys, readyMsMax = READY_MS_MAX } = options;
  const log = join(dataDir, 'engine.log');
  const output = openSync(log, 'a');
  const child = fork(ENGINE, [], {
    stdio: ['ignore', output, output, 'ipc'],
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: databaseUrl,
      DATA_DIR: dataDir,
      SECRETS_KEYS: secretsKeys,
      ENGINE_PORT: '0',
      ENGINE_HOST: '127.0.0.1',
      ENGINE_ADMIN_PORT: '0',
      TRUSTED_PROXY_HOPS: '1',
      LOG_LEVEL: 'warn',
    },
  });
  closeSync(output);
  try {
    const { port, admin_port } = await nextMessage(child, isReady);
    await Promise.all([untilWell(admin_port, readyMsMax), options.onListening?.(port)]);
    return {
      pid: child.pid as number,
      port,
      dataDir,
      async rollingRestart() {
        const supervisor = child.pid as number;
        const before = childrenOf(supervisor);
        child.kill('SIGUSR2');
        while (childrenOf(supervisor).some((pid) => before.includes(pid))) await setTimeout(100);
        await untilWell(admin_port, READY_MS_MAX);
      },
      droppedClicks() {
        const { bound, disk } = readDroppedClicks(spoolFolder(dataDir));
        return bound + disk;
      },
      stop: () => endEngine(child),
    };
  } catch (error) {
    await endEngine(child);
    throw new Error(`the engine did not start: ${readFileSync(log, 'utf8').slice(-2000)}`, { cause: error });
  }
}

async function untilWell(adminPort: number, msMax: number): Promise<void> {
  const endsAt = performance.now() + msMax;
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${adminPort}/health/ready`);
    const health = await answer.text();
    if (answer.ok) return;
    if (performance.now() > endsAt) throw new Error(`the engine is not ready: ${health}`);
    await setTimeout(100);
  }
}

/** Sends SIGTERM, so that the supervisor ends its children. */
async function endEngine(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}
