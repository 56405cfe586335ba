import type { Logger } from '../../shared/base/log.js';
import { LookupUnavailableError } from '../database/lookup-connection.js';
import type { MetadataAnswerKey } from './sql.js';

/** A question about an item, from one engine to another. */
export interface OwnerAsk extends MetadataAnswerKey {
  /** How long somebody waits for the answer there, in milliseconds. */
  readonly wait_ms: number;
}

export interface ItemOwnersOptions {
  /** Returns members in the order in which to ask them for the item; those in contact with the database come first. */
  readonly order: (item: string, holders: readonly string[]) => readonly string[];
  /** Sends each text to its channel. Rejects with `LookupUnavailableError` if the database could not be queried. */
  readonly notify: (channels: readonly string[], texts: readonly string[]) => Promise<void>;
  readonly log: Logger;
  /** Monotonic milliseconds. */
  readonly now: () => number;
}

/** PostgreSQL accepts less than 8,000 bytes in a notification. */
const TEXT_BYTES_MAX = 7_500;
/** An engine that did not answer is asked last for this long. If it has ended, its row has stopped changing by then. */
const UNANSWERED_MS = 6_000;

/** Returns the channel on which an engine receives questions. */
export function ownerChannel(engineId: string): string {
  return `metadata_${engineId.replaceAll('-', '')}`;
}

/**
 * Asks other engines, for an engine that has no share of an API's limits. Each item has one owner among the engines with a share,
 * by rendezvous hashing, so that one call answers all who ask. The answer arrives through the database that all engines share. A
 * lost message costs a wait and nothing else.
 */
export class ItemOwners {
  readonly #options: ItemOwnersOptions;
  readonly #unanswered = new Map<string, number>();
  #waiting = new Map<string, OwnerAsk[]>();
  #sending = false;

  constructor(options: ItemOwnersOptions) {
    this.#options = options;
  }

  /** Returns the engines to ask for the item, one after the other. */
  of({ resource_type_id, item_id }: MetadataAnswerKey, holders: readonly string[]): readonly string[] {
    const { order, now } = this.#options;
    for (const [owner, untilMs] of this.#unanswered) if (untilMs <= now()) this.#unanswered.delete(owner);
    const owners = order(`${resource_type_id}/${item_id}`, holders);
    return [...owners.filter((owner) => !this.#unanswered.has(owner)), ...owners.filter((owner) => this.#unanswered.has(owner))];
  }

  /** Sends the question, together with whatever else is asked in the same turn. Never waits, never throws. */
  ask(owner: string, ask: OwnerAsk): void {
    const asks = this.#waiting.get(owner) ?? [];
    asks.push(ask);
    this.#waiting.set(owner, asks);
    if (!this.#sending) void this.#send();
  }

  unanswered(owner: string): void {
    this.#unanswered.set(owner, this.#options.now() + UNANSWERED_MS);
  }

  async #send(): Promise<void> {
    this.#sending = true;
    await Promise.resolve();
    while (this.#waiting.size > 0) {
      const waiting = this.#waiting;
      this.#waiting = new Map();
      const texts = [...waiting].flatMap(([owner, asks]) => textsOf(asks).map((text) => [ownerChannel(owner), text] as const));
      try {
        await this.#options.notify(
          texts.map(([channel]) => channel),
          texts.map(([, text]) => text),
        );
      } catch (error) {
        if (!(error instanceof LookupUnavailableError)) throw error;
        this.#options.log.debug({ code: 'item_owner_unreachable', err: error }, 'owners of items could not be asked');
      }
    }
    this.#sending = false;
  }
}

/** Returns the questions in as few notifications as possible. */
function textsOf(asks: readonly OwnerAsk[]): readonly string[] {
  const texts: string[] = [];
  let batch: string[] = [];
  let bytes = 0;
  for (const ask of asks.map((each) => JSON.stringify(each))) {
    if (batch.length > 0 && bytes + ask.length * 3 > TEXT_BYTES_MAX) {
      texts.push(`[${batch.join()}]`);
      batch = [];
      bytes = 0;
    }
    batch.push(ask);
    bytes += Buffer.byteLength(ask) + 1;
  }
  return [...texts, `[${batch.join()}]`];
}

/** Reads what another engine of this installation has sent. What an engine of another release sends may be different, and is ignored. */
export function readOwnerAsks(text: string): readonly OwnerAsk[] {
  let asks: unknown;
  try {
    asks = JSON.parse(text);
  } catch {
    return [];
  }
  if (!Array.isArray(asks)) return [];
  return asks.filter(
    (ask: Partial<OwnerAsk> | null) =>
      typeof ask?.resource_type_id === 'string' &&
      typeof ask.item_id === 'string' &&
      Number.isInteger(ask.generation) &&
      typeof ask.wait_ms === 'number' &&
      ask.wait_ms >= 0 &&
      ask.wait_ms <= 60_000,
  ) as readonly OwnerAsk[];
}
