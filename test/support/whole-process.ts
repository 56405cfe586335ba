import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A program of the service, run as an operator runs it, with its output in a file. */
export interface WholeProcess {
  readonly pid: number;
  readonly child: ChildProcess;
  /** What it has printed so far. */
  output(): string;
  /** Resolves with the first message of this type. Rejects with the process's output if the process ends before. */
  message<Message extends { readonly type: string }>(type: Message['type']): Promise<Message>;
  /** Waits until it ends. */
  ended(): Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
  /** Sends SIGTERM, then waits until it ends. */
  stop(): Promise<void>;
  /** Sends SIGKILL, then waits until it ends. */
  kill(): Promise<void>;
}

/** The compiled tree that this file is part of. */
export const COMPILED_ROOT = fileURLToPath(new URL('../../', import.meta.url));

export interface ProgramOptions {
  /** A different compiled tree. */
  readonly root?: string;
  readonly parameters?: readonly string[];
}

/** `entry` is relative to the compiled root: `engine/main.js`. The environment is only what is given and PATH. */
export function startProcess(
  entry: string,
  environment: Readonly<Record<string, string>>,
  outputFile: string,
  { root = COMPILED_ROOT, parameters = [] }: ProgramOptions = {},
): WholeProcess {
  const output = openSync(outputFile, 'a');
  const child = fork(join(root, entry), parameters, {
    stdio: ['ignore', output, output, 'ipc'],
    env: { PATH: process.env.PATH, ...environment },
  });
  closeSync(output);
  const end = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  const ended = async () => {
    const [code, signal] = await end;
    return { code, signal };
  };
  const endBy = async (signal: NodeJS.Signals) => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    await end;
  };
  const printed = () => readFileSync(outputFile, 'utf8');
  return {
    pid: child.pid as number,
    child,
    output: printed,
    message: <Message extends { readonly type: string }>(type: Message['type']) =>
      new Promise<Message>((resolve, reject) => {
        child.on('message', (message: Message) => {
          if (message.type === type) resolve(message);
        });
        void ended().then(({ code, signal }) => reject(new Error(`the process ended: ${signal ?? code}\n${printed()}`)));
      }),
    ended,
    stop: () => endBy('SIGTERM'),
    kill: () => endBy('SIGKILL'),
  };
}
