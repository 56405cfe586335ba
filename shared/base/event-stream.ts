/** One block of a stream of server-sent events that has data. */
export interface StreamEvent {
  /** `message` if the block names none. */
  readonly type: string;
  readonly data: string;
  /** The newest id so far, from this block or an earlier one; undefined if there was none. */
  readonly id: string | undefined;
}

const LINE_END = /\r\n|\n|\r(?!$)/;

/**
 * Parses the text of a stream
 * (https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation), which may come in
 * pieces of any size. A block without data only changes the id. A block that is incomplete when the stream ends is
 * dropped.
 */
export class EventStreamParser {
  /** The id from which a client resumes. */
  lastEventId: string | undefined;
  #rest = '';
  #type = '';
  #id: string | undefined;
  #data: string[] = [];

  constructor(lastEventId?: string) {
    this.lastEventId = lastEventId;
    this.#id = lastEventId;
  }

  /** Returns the events that the piece completes. */
  read(piece: string): readonly StreamEvent[] {
    const lines = (this.#rest + piece).split(LINE_END);
    this.#rest = lines.pop() as string;
    const events: StreamEvent[] = [];
    for (const line of lines) {
      if (line !== '') this.#field(line);
      else {
        const event = this.#dispatch();
        if (event !== null) events.push(event);
      }
    }
    return events;
  }

  #field(line: string): void {
    const colon = line.indexOf(':');
    if (colon === 0) return;
    const name = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (name === 'event') this.#type = value;
    if (name === 'data') this.#data.push(value);
    if (name === 'id' && !value.includes('\0')) this.#id = value;
  }

  #dispatch(): StreamEvent | null {
    this.lastEventId = this.#id;
    const event = { type: this.#type === '' ? 'message' : this.#type, data: this.#data.join('\n'), id: this.#id };
    const isEvent = this.#data.length > 0;
    this.#type = '';
    this.#data = [];
    return isEvent ? event : null;
  }
}
