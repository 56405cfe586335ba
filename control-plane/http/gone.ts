import type { ServerResponse } from 'node:http';

/** Returns a signal that is aborted when the connection closes, even if that is after the response. */
export function goneSignal(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  if (response.destroyed) gone.abort();
  else response.once('close', () => gone.abort());
  return gone.signal;
}
