import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { availableParallelism } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** Server and client must not share a core, or the client's CPU use would be measured with the server. */
export interface Cores {
  readonly server: number | null;
  readonly client: number | null;
}

/** Returns the first core for the server and the second for the client, if there are two and `taskset` is installed. */
export function chooseCores(): Cores {
  const canPin = availableParallelism() >= 2 && spawnSync('taskset', ['-V']).status === 0;
  return canPin ? { server: 0, client: 1 } : { server: null, client: null };
}

/** Spawns the command on the core. `taskset` replaces itself with the command, so that the pid is the command's own. */
export function spawnPinned(core: number | null, command: readonly [string, ...string[]], options: SpawnOptions): ChildProcess {
  const [program, ...parameters] = core === null ? command : (['taskset', '-c', String(core), ...command] as const);
  return spawn(program as string, parameters, options);
}

/** Starts a Node.js module on the core, with an IPC channel. */
export function forkPinned(core: number | null, entry: string, environment: NodeJS.ProcessEnv): ChildProcess {
  return spawnPinned(core, [process.execPath, entry], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'], env: environment });
}

/** A million links take nginx and HAProxy some seconds to read. */
const LISTENS_WITHIN_MS = 120_000;

/** Rejects if the process ends before it listens on the port. */
export async function untilItListens(child: ChildProcess, port: number): Promise<void> {
  for (const end = performance.now() + LISTENS_WITHIN_MS; !(await accepts(port)); await setTimeout(50))
    if (child.exitCode !== null || performance.now() > end) throw new Error(`${child.spawnargs.join(' ')} does not listen`);
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => socket.destroy() && resolve(true)).once('error', () => resolve(false));
  });
}

/** Returns the next message that `accept` accepts. Rejects if the process ends before. */
export function nextMessage<Message>(child: ChildProcess, accept: (message: unknown) => message is Message): Promise<Message> {
  return new Promise((resolve, reject) => {
    const onMessage = (message: unknown) => {
      if (accept(message)) finish(() => resolve(message));
    };
    const onExit = (code: number | null, signal: string | null) =>
      finish(() => reject(new Error(`process ${child.spawnargs.join(' ')} ended: ${signal ?? code}`)));
    const onError = (error: Error) => finish(() => reject(error));
    const finish = (then: () => void) => {
      child.off('message', onMessage).off('exit', onExit).off('error', onError);
      then();
    };
    child.on('message', onMessage).on('exit', onExit).on('error', onError);
  });
}

/**
 * Returns what a module answers to its one message, in a process of its own, because in this one it would share the
 * event loop with the bench.
 */
export async function answerOf<Result>(entry: URL, job: object, isResult: (message: unknown) => message is Result): Promise<Result> {
  const child = forkPinned(null, fileURLToPath(entry), process.env);
  try {
    child.send(job);
    return await nextMessage(child, isResult);
  } finally {
    await endProcess(child);
  }
}

/** Ends the process and waits for its end. */
export async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}
