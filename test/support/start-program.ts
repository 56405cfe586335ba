import { type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { canConnect } from './can-connect.js';
import { PROGRAM_PATH } from './programs.js';
import { until } from './until.js';

export type Command = readonly [program: string, args: readonly string[], environment?: Readonly<Record<string, string>>];

interface Teardown {
  teardown(end: () => Promise<void>): void;
}

export interface StartedProgram {
  /** Sends SIGKILL, then waits until it ends. */
  kill(): Promise<void>;
  /** Sends SIGTERM, then waits until it ends. */
  stop(): Promise<void>;
  /** Returns the end of its error output. */
  said(): string;
}

/** The user it runs as, and the folder. */
type Place = Pick<SpawnOptions, 'uid' | 'gid' | 'cwd'>;
const START_MS_MAX = 60_000;

/** Starts a server that is not ours and that ends with the test. Resolves when it listens on the port. */
export async function startProgram(t: Teardown, command: Command, port: number, place: Place = {}): Promise<StartedProgram> {
  const [program, args, environment = {}] = command;
  const child = spawn(program, args, { ...place, stdio: ['ignore', 'ignore', 'pipe'], env: { PATH: PROGRAM_PATH, ...environment } });
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-4000);
  });
  const ended = once(child, 'exit');
  t.teardown(async () => {
    child.kill();
    await ended;
  });
  const listens = async () => {
    if (child.exitCode !== null) throw new Error(`${program} ended: ${said}`);
    return await canConnect(port);
  };
  await until(listens, `${program} to listen`, START_MS_MAX);
  return {
    said: () => said,
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
