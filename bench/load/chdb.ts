import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** How to get the engine that `findChdb` looks for. */
export const CHDB_REPAIR = 'set CHDB_DIR to a folder in which you ran `npm install chdb@3.4.0`';

/** Returns the folder in which ClickHouse's engine is installed; null if there is none. */
export function findChdb(): string | null {
  const folder = process.env.CHDB_DIR ?? '';
  return existsSync(join(folder, 'node_modules', 'chdb')) ? folder : null;
}

export interface Chdb {
  readonly url: string;
  readonly child: ChildProcess;
  /** Also removes what it has stored. */
  stop(): Promise<void>;
}

/** Starts the engine as a server with empty tables, with the settings in the file or, if it is null, its own. */
export async function startChdb(folder: string, configFile: string | null = null): Promise<Chdb> {
  const child = fork(new URL('./chdb-server.js', import.meta.url), [folder, ...(configFile === null ? [] : [configFile])]);
  const [port] = (await once(child, 'message')) as [number];
  return {
    url: `http://127.0.0.1:${port}`,
    child,
    async stop() {
      child.disconnect();
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}
