import { readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readPrivateFile } from './private-file.js';
import { endProcess, inspectProcess, type LiveProcess } from './process-command.js';
import { StartError } from './start-error.js';

/** What a server writes into its data folder: https://www.postgresql.org/docs/18/storage-file-layout.html */
export interface PostmasterFile {
  readonly pid: number;
  /** `starting`, `ready`, `stopping` or `standby`; empty in the first moments. */
  readonly status: string;
}

export function readPostmasterFile(folder: string): PostmasterFile | null {
  const text = readPrivateFile(join(folder, 'postmaster.pid'));
  if (text === null) return null;
  const lines = text.split('\n');
  const pid = Number(lines[0]);
  // PostgreSQL creates the file empty and fills it in a second step.
  if (!Number.isInteger(pid) || pid <= 1 || lines[1] === undefined) return null;
  return { pid, status: (lines[7] ?? '').trim() };
}

/** Whether the process is a PostgreSQL server that runs on the folder, as the folder's owner. */
function servesFolder(live: LiveProcess, folder: string): boolean {
  const flag = live.command.indexOf('-D');
  const served = flag === -1 ? undefined : live.command[flag + 1];
  return basename(live.command[0] ?? '') === 'postgres' && served === folder && live.uid === statSync(folder).uid;
}

/**
 * Returns the server that a killed start has left running, or null. The process id in postmaster.pid may have been reused, so only a
 * PostgreSQL server on this folder, run by the folder's owner, counts.
 */
export function findStaleServer(folder: string): LiveProcess | null {
  const noted = readPostmasterFile(folder);
  const live = noted === null ? null : inspectProcess(noted.pid);
  return live !== null && servesFolder(live, realpathSync(folder)) ? live : null;
}

/**
 * Stops the server that a killed start has left running. It is not taken over, because nothing reports the end of a process that is not a
 * child. Stopping takes well under a second, because the processes that used it have ended with their parent.
 */
export async function stopStaleServer(folder: string, log: (line: string) => void): Promise<void> {
  const stale = findStaleServer(folder);
  if (stale === null) return;
  log(`PostgreSQL (process ${stale.pid}) is left over from a start that was killed; stopping it`);
  const gone = await endProcess(stale, [
    { signal: 'SIGINT', waitMs: 5000 }, // fast: open transactions are rolled back, then a checkpoint
    { signal: 'SIGQUIT', waitMs: 3000 }, // immediate: what was committed is recovered from the log at the next start
  ]);
  if (!gone) throw new StartError(`PostgreSQL (process ${stale.pid}) on ${folder} does not stop; stop it by hand and start again`);
}

/**
 * PostgreSQL does not start while the process id in a left-over postmaster.pid belongs to any process that it could signal, even if it is
 * somebody's editor, or the dead server itself: a process can be signalled until its parent has asked how it ended, which the first
 * process of a container may do late or never. This replaces the id by that of this process: PostgreSQL ignores the id of its parent, and
 * still checks the shared memory that the file names further down, which a left-over backend would hold. (Removing the file would also
 * remove that check.) Call this after `stopStaleServer`.
 */
export function disownStalePid(folder: string): void {
  if (readPostmasterFile(folder) === null) return;
  const file = join(folder, 'postmaster.pid');
  const [, ...rest] = readFileSync(file, 'utf8').split('\n');
  writeFileSync(file, [process.pid, ...rest].join('\n'));
}
