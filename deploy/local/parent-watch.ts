/**
 * Loaded ahead of a process that the local start runs (`node --import`). When the local start is killed outright, its
 * channel to the process breaks, and the process is asked to drain as if by an operator: it does not go on serving a
 * database that nobody watches over. A process whose parent is gone before it was ready to notice ends at once.
 */
export const PARENT_VARIABLE = 'LOCAL_START_PID';

const parent = process.env[PARENT_VARIABLE];
if (parent !== undefined) {
  // Processes forked further down inherit flag and environment, and have another parent: they are left to theirs.
  delete process.env[PARENT_VARIABLE];
  if (parent !== String(process.ppid) || !process.connected) process.exit(1);
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  process.channel?.unref();
}
