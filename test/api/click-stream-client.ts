import type { Test } from 'tap';
import { EventStreamParser, type StreamEvent } from '../../shared/base/event-stream.js';

/** An open stream of clicks, and what it has received so far. */
export interface OpenStream {
  readonly status: number;
  readonly headers: Headers;
  readonly events: readonly StreamEvent[];
  readonly text: () => string;
  readonly lastEventId: () => string | undefined;
  /** The ids of the clicks received. */
  readonly clickIds: () => readonly string[];
  /** Resolves when that many events of the type have been received. Rejects if the stream ends before. */
  waitFor(type: string, count?: number): Promise<void>;
  /** Resolves when the server has ended the stream. */
  ended(): Promise<void>;
  close(): void;
}

export interface StreamRequest {
  readonly key: string;
  readonly lastEventId?: string | undefined;
  /** Sent instead of the header. */
  readonly query?: string;
}

/** Opens a stream. If the answer is not a stream, it has a status and no events. */
export async function openStream(t: Test, baseUrl: string, { key, lastEventId, query = '' }: StreamRequest): Promise<OpenStream> {
  const stop = new AbortController();
  t.teardown(() => stop.abort());
  const response = await fetch(`${baseUrl}/clicks/stream${query}`, {
    headers: { authorization: `Bearer ${key}`, ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }) },
    signal: stop.signal,
  });
  const parser = new EventStreamParser(lastEventId);
  const events: StreamEvent[] = [];
  let text = '';
  let changed = () => {};
  let hasEnded = false;
  const read = async () => {
    const decoder = new TextDecoder();
    for await (const bytes of response.body as unknown as AsyncIterable<Uint8Array>) {
      const piece = decoder.decode(bytes, { stream: true });
      text += piece;
      events.push(...parser.read(piece));
      changed();
    }
  };
  const done = (response.status === 200 ? read() : Promise.resolve())
    .catch(() => {})
    .then(() => {
      hasEnded = true;
      changed();
    });
  return {
    status: response.status,
    headers: response.headers,
    events,
    text: () => text,
    lastEventId: () => parser.lastEventId,
    clickIds: () => events.filter(({ type }) => type === 'click').map(({ data }) => (JSON.parse(data) as { id: string }).id),
    async waitFor(type, count = 1) {
      while (events.filter((event) => event.type === type).length < count) {
        if (hasEnded) throw new Error(`the stream ended before ${count} × ${type}: ${text.slice(-500)}`);
        await new Promise<void>((resolve) => {
          changed = resolve;
        });
      }
    },
    ended: () => done,
    close: () => stop.abort(),
  };
}
