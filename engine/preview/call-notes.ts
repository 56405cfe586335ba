import type { AnswerWriter } from '../store/answer-writer.js';
import type { CallJournal } from './minute-window.js';

type Notes = Pick<AnswerWriter, 'note' | 'notes' | 'dropNotes'>;

const PREFIX = 'n/call/';

/** Notes the calls to an API of the last minute in the host's store. */
export class CallNotes implements CallJournal {
  readonly #answers: Notes;
  readonly #prefix: `n/${string}`;

  constructor(answers: Notes, apiId: string) {
    this.#answers = answers;
    this.#prefix = `${PREFIX}${apiId}/`;
  }

  note(slot: number, untilEpochMs: number): void {
    this.#answers.note(`${this.#prefix}${slot}`, String(untilEpochMs));
  }

  read(): Iterable<readonly [slot: number, untilEpochMs: number]> {
    return this.#answers.notes(this.#prefix).map(([key, value]) => [Number(key.slice(this.#prefix.length)), Number(value)] as const);
  }

  clear(): void {
    this.#answers.dropNotes(this.#answers.notes(this.#prefix).map(([key]) => key));
  }
}

/** Drops the notes of calls that no longer count, including those of APIs that are gone. */
export function dropPastCalls(answers: Notes, nowEpochMs: number): void {
  const past = answers.notes(PREFIX).filter(([, untilEpochMs]) => Number(untilEpochMs) <= nowEpochMs);
  answers.dropNotes(past.map(([key]) => key));
}
