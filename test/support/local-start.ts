import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Credentials } from '../../deploy/local/credentials.js';
import { askHttp } from './ask-http.js';
import { until } from './until.js';

const ENTRY = fileURLToPath(new URL('../../deploy/local/main.js', import.meta.url));

export interface LocalStart {
  readonly child: ChildProcess;
  /** What it has printed so far. */
  output(): string;
  /** Resolves when everything serves. Rejects with the output if the process ends before. */
  serving(): Promise<Credentials>;
  /** Sends the signal, and resolves with the exit code, or with the signal that ended the process. */
  end(signal: NodeJS.Signals): Promise<number | NodeJS.Signals>;
  ended(): Promise<number | NodeJS.Signals>;
}

export interface LocalStartInput {
  readonly dataDir: string;
  readonly parameters?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Beginning of the name of the output file, if that must not be beside `dataDir`. */
  readonly output?: string;
  readonly user?: { readonly uid: number; readonly gid: number } | null;
}

/** The part of a tap test that the helper needs. */
interface Teardown {
  teardown(fn: () => Promise<void>): void;
}

let starts = 0;

/**
 * Runs `npm start` as an operator does, with free ports and an empty HOME. Its output goes to a file beside `dataDir`.
 * What still runs at the end of the test is ended with it.
 */
export function startLocally(
  t: Teardown,
  { dataDir, parameters = [], environment = {}, user = null, output: outputName = dataDir }: LocalStartInput,
): LocalStart {
  const outputFile = `${outputName}-output-${starts++}`;
  const output = openSync(outputFile, 'a');
  // tap adds NODE_OPTIONS to everything that a test spawns, which would make the service write into the checkout.
  // `env`, which becomes node itself, removes them.
  const child = spawn('env', ['-u', 'NODE_OPTIONS', process.execPath, ENTRY, ...parameters], {
    cwd: '/',
    stdio: ['ignore', output, output],
    env: {
      PATH: process.env.PATH,
      HOME: '',
      DATA_DIR: dataDir,
      EMBEDDED_POSTGRES_DIR: `${outputName}-postgres`,
      CONTROL_PLANE_PORT: '0',
      CONTROL_PLANE_ADMIN_PORT: '0',
      ENGINE_PORT: '0',
      ENGINE_ADMIN_PORT: '0',
      REDIRECT_PROCESSES: '1',
      ...environment,
    },
    ...(user === null ? {} : { uid: user.uid, gid: user.gid }),
  });
  closeSync(output);
  const exited = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  const ended = async () => {
    const [code, signal] = await exited;
    return signal ?? (code as number);
  };
  const text = () => readFileSync(outputFile, 'utf8');
  const end = (signal: NodeJS.Signals) => {
    child.kill(signal);
    return ended();
  };
  t.teardown(async () => {
    if (child.exitCode === null && child.signalCode === null) await end('SIGTERM');
  });
  return {
    child,
    output: text,
    ended,
    end,
    async serving() {
      await until(
        () => text().includes('Ctrl-C stops everything') || child.exitCode !== null || child.signalCode !== null,
        'the service to start',
        90_000,
      );
      if (child.exitCode !== null || child.signalCode !== null) throw new Error(`the start ended: ${text()}`);
      return JSON.parse(readFileSync(join(dataDir, 'credentials.json'), 'utf8')) as Credentials;
    },
  };
}

export interface Followed {
  readonly status: number;
  readonly location: string | undefined;
  readonly body: string;
}

/** Follows a short link without following its redirect. The name of the link host needs no DNS. */
export async function follow(linkUrl: string, userAgent: string): Promise<Followed> {
  const { host, port, pathname } = new URL(linkUrl);
  const { status, headers, body } = await askHttp({ port, path: pathname, headers: { host, 'user-agent': userAgent } });
  return { status, location: headers.location, body };
}

/** Returns the folder of the embedded database, which is outside DATA_DIR if root started it; null before it is chosen. */
export function postgresFolder(dataDir: string): string | null {
  const note = join(dataDir, 'postgres-folder');
  return existsSync(note) ? readFileSync(note, 'utf8').trim() : null;
}

/** Returns the processes that have the folder on their command line, or as DATA_DIR in their environment, as `/proc` shows them. */
export function processesOn(dataDir: string): readonly string[] {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return false;
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      return command.includes(dataDir) || readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`DATA_DIR=${dataDir}\0`);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // Ended in the meantime, or owned by another user, which the wanted ones are not.
      if (code === 'ENOENT' || code === 'ESRCH' || code === 'EACCES') return false;
      throw error;
    }
  });
}

export interface ApiAnswer {
  readonly status: number;
  readonly json: Record<string, unknown>;
}

/** Sends a GET, or a POST if there is a body, with the secret key of the test environment. */
export async function callApi(credentials: Credentials, path: string, body?: object): Promise<ApiAnswer> {
  const authorization = `Bearer ${credentials.test.secret_key}`;
  const response = await fetch(
    credentials.base_url + path,
    body === undefined
      ? { headers: { authorization } }
      : { method: 'POST', headers: { authorization, 'content-type': 'application/json' }, body: JSON.stringify(body) },
  );
  return { status: response.status, json: (await response.json()) as Record<string, unknown> };
}
