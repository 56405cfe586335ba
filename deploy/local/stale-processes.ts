import { openPidfile, type Pidfile } from '../../engine/supervisor/pidfile.js';
import { isAlive, type ProcessIdentity } from '../../shared/base/process-identity.js';
import { endProcess, signalGroup } from './process-command.js';

/**
 * These processes have been draining since their parent died, and killing them loses nothing: the wait only gives visitors a little longer.
 */
const DRAIN_MS = 1000;
const KILL_MS = 2000;

/** Ends the control plane or engine of a start that was killed: asks it to drain, then kills it with everything that it has forked. */
async function endOne(identity: ProcessIdentity): Promise<void> {
  if (await endProcess(identity, [{ signal: 'SIGTERM', waitMs: DRAIN_MS }])) return;
  // It leads its own process group, and while it is alive, no other group can have that number.
  if (isAlive(identity)) signalGroup(identity.pid, 'SIGKILL');
  await endProcess(identity, [{ signal: 'SIGKILL', waitMs: KILL_MS }]);
}

/** Ends the processes that a killed start has left running, according to the pidfiles in the folder. Returns the folder's pidfiles. */
export async function endStaleProcesses(folder: string, log: (line: string) => void): Promise<Pidfile> {
  const pidfile = openPidfile(folder);
  const staleProcesses = pidfile.staleProcesses();
  if (staleProcesses.length > 0) log(`stopping ${staleProcesses.length} processes that a killed start has left behind`);
  await Promise.all(staleProcesses.map(endOne));
  for (const { pid } of staleProcesses) pidfile.remove(pid);
  return pidfile;
}
