import type { Clock } from '../../../shared/base/clock.js';
import type { AnswerWriter } from '../../store/answer-writer.js';
import { SETTLING_MS } from './membership.js';

const KEY = 'n/fleet';

/** Others take an engine for ended no sooner than SETTLING_MS after its last word; the note is a little older than that word. */
const HOLDS_MS = SETTLING_MS - 15_000;

export interface SavedMembership {
  readonly id: string;
  readonly members: readonly string[];
  /** Whether the engine had the role of calling metadata APIs. */
  readonly calls: boolean;
  /** Whether the engine may go on by this set before it has reached the database. */
  readonly holds: boolean;
}

/** As it stands in the store; `calls` is absent where a release before roles wrote it. */
interface Noted {
  readonly id: string;
  readonly members: string[];
  readonly calls?: boolean;
  readonly acting: boolean;
  readonly at_ms: number;
}

/**
 * By which id and which set of engines this one acts, noted in the host's store beside its calls, for the process that
 * continues after it. The two belong together: who has no note of its calls must not act by the share of who made them.
 * So after a store was thrown away, with the calls of the last minute, the note waits until none of them counts any more.
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

  /** Null where nothing is noted. */
  read(): SavedMembership | null {
    const [, value] = this.#answers.notes(KEY)[0] ?? [];
    if (value === undefined) return null;
    const { id, members, calls = true, acting, at_ms } = JSON.parse(value) as Noted;
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
