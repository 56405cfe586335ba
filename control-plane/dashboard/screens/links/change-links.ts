import type { Link, LinkPatch } from '../../../../shared/contract/schemas/link.js';
import { ApiError, type Connection, call, newIdempotencyKey, tagOf } from '../../api/client.js';
import { tagOfRow } from '../../api/shown-row.js';

/** What became of one link of several. */
export interface ChangeOutcome {
  /** As it was before the change: as it was shown, or, where it was read again, as it was then. */
  readonly link: Link;
  /** As the change has left it; null if there was nothing to change, or it could not be changed. */
  readonly now: Link | 'deleted' | null;
  /** Why it could not be changed; null if it is. */
  readonly error: string | null;
}

/** How a link is to be changed; null leaves it as it is. */
export type LinkChange = (link: Link) => LinkPatch | 'delete' | null;

/**
 * A change of the link as it was shown, which is not made once others have changed it; one of the link as it is now, whatever they did;
 * or its return after a deletion.
 */
export type AnyChange = LinkChange | { readonly asItIs: LinkChange } | 'restore';

interface ChangeRun {
  readonly connection: Connection;
  readonly links: readonly Link[];
  readonly change: (link: Link) => AnyChange;
  readonly signal: AbortSignal;
  readonly onProgress: (done: number) => void;
}

/** Calls under way at once: more would only wait at the server. */
const CALLS_AT_ONCE = 4;

/** How often a link is read again that others change between its reading and its change. */
const TRIES = 5;

/** Changes each link by a call of its own, so that one that is refused fails alone. Once `signal` aborts no other link is begun. */
export async function changeLinks({ connection, links, change, signal, onProgress }: ChangeRun): Promise<readonly ChangeOutcome[]> {
  const outcomes: ChangeOutcome[] = [];
  const waiting = [...links];
  const worker = async (): Promise<void> => {
    for (let link = waiting.shift(); link !== undefined && !signal.aborted; link = waiting.shift()) {
      outcomes.push(await outcomeOf(connection, link, change(link)));
      onProgress(outcomes.length);
    }
  };
  await Promise.all(Array.from({ length: CALLS_AT_ONCE }, worker));
  return outcomes;
}

async function outcomeOf(connection: Connection, link: Link, change: AnyChange): Promise<ChangeOutcome> {
  try {
    if (change === 'restore') {
      const options = { idempotencyKey: newIdempotencyKey() };
      return { link, now: await call(connection, 'POST /links/{link}/restore', { params: { link: link.id } }, options), error: null };
    }
    if (typeof change !== 'function') return { ...(await changeAsItIs(connection, link, change.asItIs)), error: null };
    return { link, now: await changeAsShown(connection, link, change), error: null };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { link, now: null, error: error.fields[0]?.detail ?? error.message };
  }
}

async function changeAsShown(connection: Connection, link: Link, change: LinkChange): Promise<ChangeOutcome['now']> {
  const wanted = change(link);
  if (wanted === null) return null;
  return send(connection, link, wanted, await tagOfRow(connection, 'GET /links/{link}', { params: { link: link.id } }, link));
}

/** Resolves to the link as it was before the change, and as it is now. */
async function changeAsItIs(connection: Connection, { id }: Link, change: LinkChange): Promise<Pick<ChangeOutcome, 'link' | 'now'>> {
  for (let tries = 1; ; tries++) {
    const link = await call(connection, 'GET /links/{link}', { params: { link: id } });
    try {
      return { link, now: await send(connection, link, change(link), tagOf(link)) };
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 412 || tries === TRIES) throw error;
    }
  }
}

async function send(connection: Connection, link: Link, change: ReturnType<LinkChange>, ifMatch?: string): Promise<ChangeOutcome['now']> {
  const params = { link: link.id };
  if (change === null) return null;
  if (change !== 'delete') return call(connection, 'PATCH /links/{link}', { params, body: change }, { ifMatch });
  await call(connection, 'DELETE /links/{link}', { params }, { ifMatch });
  return 'deleted';
}
