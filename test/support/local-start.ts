import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Credentials } from '../../deploy/local/credentials.js';
import { until } from './until.js';

const ENTRY = fileURLToPath(new URL('../../deploy/local/main.js', import.meta.url));

export interface LocalStart {
  readonly child: ChildProcess;
  /** What it has printed so far. */
  output(): string;
  /** Resolves when everything serves; rejects with the output where it ends before. */
  serving(): Promise<Credentials>;
  /** Sends the signal and answers the exit code, or the signal it died of. */
  end(signal: NodeJS.Signals): Promise<number | NodeJS.Signals>;
  ended(): Promise<number | NodeJS.Signals>;
}

export interface LocalStartInput {
  readonly dataDir: string;
  readonly parameters?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly user?: { readonly uid: number; readonly gid: number } | null;
}

let starts = 0;

/** `npm start` as an operator runs it, with free ports and an empty HOME. Its output goes to a file beside `dataDir`. */
export function startLocally({ dataDir, parameters = [], environment = {}, user = null }: LocalStartInput): LocalStart {
  const outputFile = `${dataDir}-output-${starts++}`;
  const output = openSync(outputFile, 'a');
  const child = spawn(process.execPath, [ENTRY, ...parameters], {
    cwd: '/',
    stdio: ['ignore', output, output],
    env: {
      PATH: process.env.PATH,
      HOME: '',
      DATA_DIR: dataDir,
      CONTROL_PLANE_PORT: '0',
      CONTROL_PLANE_ADMIN_PORT: '0',
      ENGINE_PORT: '0',
      ENGINE_ADMIN_PORT: '0',
      REDIRECT_PROCESSES: '2',
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
  return {
    child,
    output: text,
    ended,
    end(signal) {
      child.kill(signal);
      return ended();
    },
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

/** Follows a short link without following its redirect. The name of the link host needs no DNS. */
export function follow(linkUrl: string, userAgent: string): Promise<{ readonly status: number; readonly location: string | undefined }> {
  const url = new URL(linkUrl);
  return new Promise((resolve, reject) => {
    const sent = request(
      { host: '127.0.0.1', port: url.port, path: url.pathname, headers: { host: url.host, 'user-agent': userAgent } },
      (response) => {
        response.resume();
        resolve({ status: response.statusCode ?? 0, location: response.headers.location });
      },
    );
    sent.once('error', reject);
    sent.end();
  });
}
