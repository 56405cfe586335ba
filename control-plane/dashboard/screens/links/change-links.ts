import type { Link, LinkPatch } from '../../../../shared/contract/schemas/link.js';
import { ApiError, type Connection, call, tagOf } from '../../api/client.js';
import { newIdempotencyKey } from '../../api/idempotency-key.js';
import { tagOfRow } from '../../api/shown-row.js';

/** The result for one of several links. */
export interface ChangeOutcome {
  /** The link before the change: as it was shown, or as it was read again. */
  readonly link: Link;
  /** The link after the change; null if there was nothing to change, or if the change failed. */
  readonly now: Link | 'deleted' | null;
  /** Why the change failed; null if it did not. */
  readonly error: string | null;
}

/** Returns the change to make to a link; null leaves it as it is. */
export type LinkChange = (link: Link) => LinkPatch | 'delete' | null;

/**
 * A change to the link as it was shown, which fails if others have changed the link since; a change to the link as it is now, whatever
 * others have changed; or the restoration of a deleted link.
 */
export type AnyChange = LinkChange | { readonly asItIs: LinkChange } | 'restore';

interface ChangeRun {
  readonly connection: Connection;
  readonly links: readonly Link[];
  readonly change: (link: Link) => AnyChange;
  readonly signal: AbortSignal;
  readonly onProgress: (done: number) => void;
}

/** Concurrent calls. More would only wait at the server. */
const CALLS_AT_ONCE = 4;

/** How many times to read and change a link that others change in between. */
const TRIES = 5;

/**
 * Changes each link with a separate call, so that the failure of one does not affect the others. After `signal` aborts, no further link is
 * begun.
 */
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
    return { link, now: null, error: error.reason };
  }
}

async function changeAsShown(connection: Connection, link: Link, change: LinkChange): Promise<ChangeOutcome['now']> {
  const wanted = change(link);
  if (wanted === null) return null;
  return send(connection, link, wanted, await tagOfRow(connection, 'GET /links/{link}', { params: { link: link.id } }, link));
}

/** Resolves to the link before the change and after it. */
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
