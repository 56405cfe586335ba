import type { Link, LinkPatch } from '../../../../shared/contract/schemas/link.js';
import { ApiError, type Connection, call } from '../../api/client.js';

/** What became of one link of several. */
export interface ChangeOutcome {
  readonly link: Link;
  /** Why it could not be changed; null if it is. */
  readonly error: string | null;
}

/** How a link is to be changed; null leaves it as it is. */
export type LinkChange = (link: Link) => LinkPatch | 'delete' | null;

interface ChangeRun {
  readonly connection: Connection;
  readonly links: readonly Link[];
  readonly change: LinkChange;
  readonly signal: AbortSignal;
  readonly onProgress: (done: number) => void;
}

/** Calls under way at once: more would only wait at the server. */
const CALLS_AT_ONCE = 4;

/** Changes each link by a call of its own, so that one that is refused fails alone. Rejects only when `signal` aborts. */
export async function changeLinks({ connection, links, change, signal, onProgress }: ChangeRun): Promise<readonly ChangeOutcome[]> {
  const outcomes: ChangeOutcome[] = [];
  const waiting = [...links];
  const worker = async (): Promise<void> => {
    for (let link = waiting.shift(); link !== undefined; link = waiting.shift()) {
      signal.throwIfAborted();
      outcomes.push({ link, error: await changeOne(connection, link, change(link), signal) });
      onProgress(outcomes.length);
    }
  };
  await Promise.all(Array.from({ length: CALLS_AT_ONCE }, worker));
  return outcomes;
}

async function changeOne(connection: Connection, link: Link, change: ReturnType<LinkChange>, signal: AbortSignal): Promise<string | null> {
  if (change === null) return null;
  const params = { link: link.id };
  try {
    if (change === 'delete') await call(connection, 'DELETE /links/{link}', { params }, { signal });
    else await call(connection, 'PATCH /links/{link}', { params, body: change }, { signal });
    return null;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return error.fields[0]?.detail ?? error.message;
  }
}
