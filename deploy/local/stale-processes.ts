import { openPidfile, type Pidfile } from '../../engine/supervisor/pidfile.js';
import { isAlive, type ProcessIdentity } from '../../shared/base/process-identity.js';
import { endProcess, signalGroup } from './process-command.js';

/** They have been draining since their parent died, and lose nothing when they are killed: visitors only get a little longer. */
const DRAIN_MS = 1000;
const KILL_MS = 2000;

/** Control plane and engine of a start that was killed: asked to drain, then killed with all they have forked. */
async function endOne(identity: ProcessIdentity): Promise<void> {
  if (await endProcess(identity, [{ signal: 'SIGTERM', waitMs: DRAIN_MS }])) return;
  // It leads its own process group, and while it lives nothing else can have the group's number.
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
