import type { Clock } from '../../shared/base/clock.js';
import type { AnswerWriter } from '../store/answer-writer.js';
import { SETTLING_MS } from './membership.js';

const KEY = 'n/fleet';

/**
 * Other engines assume that an engine has ended no sooner than SETTLING_MS after its last sign of life; the note is a little older
 * than that.
 */
const HOLDS_MS = SETTLING_MS - 15_000;

export interface SavedMembership {
  readonly id: string;
  readonly members: readonly string[];
  /** Whether the engine had the role of calling metadata APIs. */
  readonly calls: boolean;
  /** Whether the engine may go on with this set before it has reached the database. */
  readonly holds: boolean;
}

/** The form in the store; `calls` is absent if a release without roles wrote it. */
interface Noted {
  readonly id: string;
  readonly members: string[];
  readonly calls?: boolean;
  readonly acting: boolean;
  readonly at_ms: number;
}

/**
 * The id and the set of engines by which this engine acts. They are noted in the host's store beside its calls, for the process
 * that continues after it. The two belong together: a process without the notes of the calls must not act by the share of the one
 * that made them. So after a store was thrown away, with the calls of the last minute, nothing is noted until none of those calls
 * counts any more.
 */
export class MembershipSnapshot {
  readonly #answers: Pick<AnswerWriter, 'note' | 'notes' | 'thrownAway'>;
  readonly #clock: Clock;
  #thrownAway: number;
  #silentUntilMs = 0;

  constructor(answers: Pick<AnswerWriter, 'note' | 'notes' | 'thrownAway'>, clock: Clock) {
    this.#answers = answers;
    this.#clock = clock;
    this.#thrownAway = answers.thrownAway;
  }

  /** Returns null if nothing is noted, or if the note was damaged on the disk: then the engine joins the others as a new one. */
  read(): SavedMembership | null {
    const [, value] = this.#answers.notes(KEY)[0] ?? [];
    const noted = value === undefined ? null : readNote(value);
    if (noted === null) return null;
    const { id, members, calls = true, acting, at_ms } = noted;
    const alone = members.length === 1;
    return { id, members, calls, holds: acting && (alone || Math.abs(this.#clock() - at_ms) < HOLDS_MS) };
  }

  write(membership: Omit<SavedMembership, 'holds'> & { readonly acting: boolean }): void {
    const now = this.#clock();
    if (this.#answers.thrownAway !== this.#thrownAway) {
      this.#thrownAway = this.#answers.thrownAway;
      this.#silentUntilMs = now + SETTLING_MS;
    }
    if (now >= this.#silentUntilMs) this.#answers.note(KEY, JSON.stringify({ ...membership, at_ms: now }));
  }
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Returns null for anything else than a note, which has no checksum. */
function readNote(text: string): Noted | null {
  try {
    const { id, members, calls = true, acting, at_ms } = JSON.parse(text) as Partial<Noted>;
    const areIds = Array.isArray(members) && [id, ...members].every((each) => typeof each === 'string' && UUID.test(each));
    // An engine is in its own set if it calls.
    if (!areIds || typeof id !== 'string' || members.includes(id) !== calls) return null;
    return typeof at_ms === 'number' ? { id, members, calls, acting: acting === true, at_ms } : null;
  } catch {
    return null;
  }
}
