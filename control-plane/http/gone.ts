import type { ServerResponse } from 'node:http';

/** Aborted when the connection ends, be it after the answer. */
export function goneSignal(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  if (response.destroyed) gone.abort();
  else response.once('close', () => gone.abort());
  return gone.signal;
}
