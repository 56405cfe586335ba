/**
 * Loaded before a process that the local start runs (`node --import`). If the local start is killed, its channel to the process breaks, and
 * the process drains as if an operator had asked for it, so that it does not keep serving a database that nobody supervises. If the parent
 * is gone before the process could watch it, the process ends at once.
 */
export const PARENT_VARIABLE = 'LOCAL_START_PID';

const parent = process.env[PARENT_VARIABLE];
if (parent !== undefined) {
  // Processes that are forked further down inherit the flag and the environment but have another parent, so they must not watch this one.
  delete process.env[PARENT_VARIABLE];
  if (parent !== String(process.ppid) || !process.connected) process.exit(1);
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  process.channel?.unref();
}
