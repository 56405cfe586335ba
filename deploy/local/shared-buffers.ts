const MB = 1024 * 1024;

/** PostgreSQL's default. */
const MIN_MB = 128;
/** Holds the click log of five million clicks, 1.3 GB. */
const MAX_MB = 2048;

/**
 * Returns the size of PostgreSQL's own cache (`shared_buffers`): an eighth of the memory, because the processes of the service are on the
 * same machine. PostgreSQL's manual recommends a quarter on a machine of its own. `limit` is that of the container, in bytes; 0, undefined
 * or more than `total` if there is none.
 */
export function sharedBuffersMb(total: number, limit: number | undefined): number {
  const memory = limit ? Math.min(total, limit) : total;
  return Math.max(MIN_MB, Math.min(MAX_MB, Math.floor(memory / 8 / MB)));
}
