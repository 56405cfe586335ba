import { invariant } from '../../shared/base/invariant.js';
import { NUMBER_BOUNDS } from '../../shared/metadata/configuration.js';

const WINDOW_MS = 60_000;
/** A call that was noted counts no longer than this after it began. */
const COUNTS_MS_MAX = NUMBER_BOUNDS.timeout_ms.max + WINDOW_MS;

/** Notes calls, so that they still count for the process that continues after one that was killed. */
export interface CallJournal {
  /** Notes that the call in this slot counts until the given time, in milliseconds since the epoch. */
  note(slot: number, untilEpochMs: number): void;
  /** Returns the notes, in no particular order. */
  read(): Iterable<readonly [slot: number, untilEpochMs: number]>;
  /** Drops all notes. */
  clear(): void;
}

export interface MinuteWindowOptions {
  readonly journal: CallJournal;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** Milliseconds since the epoch, which have the same meaning in another process. */
  readonly epochNow: () => number;
}

/** A call that counts in the window. */
export interface CountedCall {
  readonly slot: number;
}

/**
 * Limits how many calls an API may get in any 60 seconds. Every call counts by itself. A counter that starts again each minute
 * would let twice as many through around that moment.
 *
 * A call counts from before it is made until 60 seconds after it has ended. It arrives at the API some time between its beginning
 * and its end (a new connection may take a second), so calls counted by their beginning alone could arrive closer together than
 * they were made.
 *
 * Each call is noted before it is made, as one that may last as long as calls may. A process that continues after one that was
 * killed goes on from the notes.
 */
export class MinuteWindow {
  /** May change at any time. */
  share = 0;
  readonly #options: MinuteWindowOptions;
  #underWay = 0;
  /** Calls that have ended, in the order of their ends, and thus in the order in which they stop counting. */
  #ended: { readonly slot: number; readonly untilMs: number }[] = [];
  #firstEnded = 0;
  /** Slots of the journal in which no call counts. Those from `#slots` on were never used. */
  readonly #free: number[] = [];
  #slots = 0;

  constructor(options: MinuteWindowOptions) {
    this.#options = options;
    this.#readJournal();
  }

  hasRoom(): boolean {
    this.#forget();
    return this.#counted() < this.share;
  }

  /** Returns the milliseconds until there may be room again; 0 if there is room, Infinity if the share is 0. */
  waitMs(): number {
    if (this.hasRoom()) return 0;
    if (this.share === 0) return Number.POSITIVE_INFINITY;
    // With calls under way, room may come as soon as the earliest one that has ended stops counting, not before.
    const over = this.#counted() - this.share;
    const next = this.#ended[this.#firstEnded + over];
    return next === undefined ? WINDOW_MS : Math.max(1, next.untilMs - this.#options.now());
  }

  /** Must be called only if `hasRoom` returns true, before a call that lasts at most `callMsMax`. */
  begin(callMsMax: number): CountedCall {
    invariant(this.hasRoom(), 'a call begins only where there is room');
    const slot = this.#free.pop() ?? this.#slots++;
    this.#underWay += 1;
    this.#options.journal.note(slot, this.#options.epochNow() + callMsMax + WINDOW_MS);
    return { slot };
  }

  end({ slot }: CountedCall): void {
    invariant(this.#underWay > 0, 'only a call that began ends');
    this.#underWay -= 1;
    this.#ended.push({ slot, untilMs: this.#options.now() + WINDOW_MS });
  }

  /** Returns the milliseconds since the last call ended; 0 while calls are under way, Infinity if no ended call is remembered. */
  quietMs(): number {
    if (this.#underWay > 0) return 0;
    const last = this.#ended.at(-1);
    return last === undefined ? Number.POSITIVE_INFINITY : Math.max(0, WINDOW_MS - (last.untilMs - this.#options.now()));
  }

  /** Drops the notes of calls if none counts any more. Returns whether that is so. */
  clearIfQuiet(): boolean {
    if (this.quietMs() < COUNTS_MS_MAX) return false;
    this.#options.journal.clear();
    return true;
  }

  #counted(): number {
    return this.#underWay + this.#ended.length - this.#firstEnded;
  }

  #forget(): void {
    const now = this.#options.now();
    for (let first = this.#ended[this.#firstEnded]; first !== undefined && first.untilMs <= now; first = this.#ended[this.#firstEnded]) {
      this.#free.push(first.slot);
      this.#firstEnded += 1;
    }
    // The front is cut off in large pieces, because shifting each entry would move all the others.
    if (this.#firstEnded > 1024 && 2 * this.#firstEnded > this.#ended.length) {
      this.#ended = this.#ended.slice(this.#firstEnded);
      this.#firstEnded = 0;
    }
  }

  /** If the clock was set back since, old calls must not count for longer than a new one would. */
  #readJournal(): void {
    const { journal, now, epochNow } = this.#options;
    for (const [slot, untilEpochMs] of journal.read()) {
      this.#slots = Math.max(this.#slots, slot + 1);
      const leftMs = Math.min(untilEpochMs - epochNow(), COUNTS_MS_MAX);
      if (leftMs > 0) this.#ended.push({ slot, untilMs: now() + leftMs });
      else this.#free.push(slot);
    }
    this.#ended.sort((a, b) => a.untilMs - b.untilMs);
  }
}
