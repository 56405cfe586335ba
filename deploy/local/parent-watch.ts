/**
 * Loaded ahead of a process that the local start runs (`node --import`). When the local start is killed outright, its
 * channel to the process breaks, and the process is asked to drain as if by an operator: it does not go on serving a
 * database that nobody watches over. Processes forked further down inherit the flag and have another parent: they are
 * left to theirs.
 */
export const PARENT_VARIABLE = 'LOCAL_START_PID';

if (process.env[PARENT_VARIABLE] === String(process.ppid) && process.channel) {
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  process.channel.unref();
}
