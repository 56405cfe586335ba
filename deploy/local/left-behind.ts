import { openRoster, type Roster } from '../../engine/supervisor/roster.js';
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

/** Ends the processes that an earlier start, killed outright, has left behind in the roster's folder. Answers the roster. */
export async function endLeftBehind(folder: string, log: (line: string) => void): Promise<Roster> {
  const roster = openRoster(folder);
  const orphans = roster.orphans();
  if (orphans.length > 0) log(`ending ${orphans.length} processes of a start that was killed`);
  await Promise.all(orphans.map(endOne));
  for (const { pid } of orphans) roster.remove(pid);
  return roster;
}
