import { createParser } from 'eventsource-parser';
import type { EventData } from '../../../shared/contract/schemas/events.js';
import { ApiError, type Connection, callForStream } from './client.js';

export type Click = EventData<'click.created'>;

export interface ClickFollower {
  onClick(click: Click): void;
  /** Whether a connection is open. */
  onOpen(isOpen: boolean): void;
  /** Called when the API refuses the stream. A retry would not help. */
  onRefused(error: ApiError): void;
}

/** Backoff between connections while the server cannot be reached. It doubles from the first value to the second. */
const WAIT_MS = 1_000;
const WAIT_MS_MAX = 15_000;

/**
 * Follows the clicks of the environment until the signal aborts. If the connection is lost, opens another one, which continues after the
 * last event.
 */
export async function followClicks(connection: Connection, follower: ClickFollower, signal: AbortSignal): Promise<void> {
  let lastEventId: string | undefined;
  for (let waitMs = WAIT_MS; !signal.aborted; waitMs = Math.min(WAIT_MS_MAX, waitMs * 2)) {
    try {
      const pieces = await callForStream(connection, 'GET /clicks/stream', { query: { last_event_id: lastEventId } }, signal);
      follower.onOpen(true);
      waitMs = WAIT_MS;
      const parser = createParser({
        onEvent: ({ event, data, id }) => {
          lastEventId = id ?? lastEventId;
          if (event === 'click') follower.onClick(JSON.parse(data) as Click);
        },
      });
      for (let piece = await pieces.read(); !piece.done; piece = await pieces.read()) parser.feed(piece.value);
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof ApiError && !error.isPassing) return follower.onRefused(error);
    }
    follower.onOpen(false);
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
}
