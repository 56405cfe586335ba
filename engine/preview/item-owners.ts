import type { Logger } from '../../shared/base/log.js';
import { LookupUnavailableError } from '../database/lookup-connection.js';
import type { MetadataAnswerKey } from './sql.js';

/** Another engine asks this one for an item. */
export interface OwnerAsk extends MetadataAnswerKey {
  /** For how long somebody waits for it there. */
  readonly wait_ms: number;
}

export interface ItemOwnersOptions {
  /** Members in the order in which they are asked for the item; those that are in touch with the database come first. */
  readonly order: (item: string, holders: readonly string[]) => readonly string[];
  /** Sends each text to its channel. Rejects with `LookupUnavailableError` where the database could not be asked. */
  readonly notify: (channels: readonly string[], texts: readonly string[]) => Promise<void>;
  readonly log: Logger;
  /** Monotonic milliseconds. */
  readonly now: () => number;
}

/** PostgreSQL takes less than 8,000 bytes in a notification. */
const TEXT_BYTES_MAX = 7_500;
/** One that did not answer is asked last for so long: its row stands still by then if it has ended. */
const UNANSWERED_MS = 6_000;

/** The channel on which an engine is asked. */
export function ownerChannel(engineId: string): string {
  return `metadata_${engineId.replaceAll('-', '')}`;
}

/**
 * Questions to other engines, for an engine whose share of an API's limits is nothing. An item has one owner among those that
 * have a share, by rendezvous hashing, so that one call answers all who ask. The answer comes by the database that all engines
 * share; what is lost on the way costs a wait and no more.
 */
export class ItemOwners {
  readonly #options: ItemOwnersOptions;
  readonly #unanswered = new Map<string, number>();
  #waiting = new Map<string, OwnerAsk[]>();
  #sending = false;

  constructor(options: ItemOwnersOptions) {
    this.#options = options;
  }

  /** Whom to ask for the item, one after the other. */
  of({ resource_type_id, item_id }: MetadataAnswerKey, holders: readonly string[]): readonly string[] {
    const { order, now } = this.#options;
    for (const [owner, untilMs] of this.#unanswered) if (untilMs <= now()) this.#unanswered.delete(owner);
    const owners = order(`${resource_type_id}/${item_id}`, holders);
    return [...owners.filter((owner) => !this.#unanswered.has(owner)), ...owners.filter((owner) => this.#unanswered.has(owner))];
  }

  /** Asks, together with whatever else is asked in the same turn. Never waits, never throws. */
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

/** As few notifications as take all of them. */
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

/** What another engine of this installation has sent; of another release it may be something else, which is left alone. */
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
