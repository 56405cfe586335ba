import type { AnswerWriter } from '../store/answer-writer.js';
import type { CallJournal } from './minute-window.js';

/** An API's calls of the last minute, noted in the host's store. */
export class CallNotes implements CallJournal {
  readonly #answers: Pick<AnswerWriter, 'note' | 'notes'>;
  readonly #prefix: `n/${string}`;

  constructor(answers: Pick<AnswerWriter, 'note' | 'notes'>, apiId: string) {
    this.#answers = answers;
    this.#prefix = `n/call/${apiId}/`;
  }

  note(slot: number, untilEpochMs: number): void {
    this.#answers.note(`${this.#prefix}${slot}`, String(untilEpochMs));
  }

  read(): Iterable<readonly [slot: number, untilEpochMs: number]> {
    return this.#answers.notes(this.#prefix).map(([key, value]) => [Number(key.slice(this.#prefix.length)), Number(value)] as const);
  }
}
