import { HOST_QUESTIONS_MAX } from '../../shared/base/limits.js';
import type { Scheduler } from '../../shared/base/scheduler.js';
import type { ChildMessage, HostAnswer, SupervisorMessage } from '../processes/messages.js';

/** A process that answers within a millisecond when it is well. */
export const WITNESS_MS = 250;

/** A process that has the table of hosts. */
export interface Witness {
  send(message: SupervisorMessage): void;
}

export interface HostQuestionsInput {
  /** The processes that serve at this moment, the one to ask first in front. */
  witnesses(): readonly Witness[];
  readonly schedule: Scheduler;
}

type AnswerMessage = ChildMessage & { readonly type: 'host_answer' };

/**
 * Asks the redirect processes whether a host is one of theirs: the supervisor itself holds no store that could fail under
 * it. The first that says yes or no is believed. One that is silent, gone, or does not have the whole table, is followed by
 * the next, so that any one that serves is enough.
 */
export class HostQuestions {
  readonly #input: HostQuestionsInput;
  readonly #waiting = new Map<number, (answer: HostAnswer) => void>();
  #last = 0;

  constructor(input: HostQuestionsInput) {
    this.#input = input;
  }

  /** `uncertain` where no process could say, and where too many questions wait already. */
  async ask(host: string): Promise<HostAnswer> {
    for (const witness of this.#input.witnesses()) {
      if (this.#waiting.size >= HOST_QUESTIONS_MAX) return 'uncertain';
      const answer = await this.#askOne(witness, host);
      if (answer !== 'uncertain') return answer;
    }
    return 'uncertain';
  }

  /** An answer that came too late is nobody's. */
  onAnswer({ question, answer }: AnswerMessage): void {
    this.#waiting.get(question)?.(answer);
  }

  #askOne(witness: Witness, host: string): Promise<HostAnswer> {
    const question = ++this.#last;
    return new Promise((resolve) => {
      const settle = (answer: HostAnswer) => {
        this.#waiting.delete(question);
        cancel();
        resolve(answer);
      };
      const cancel = this.#input.schedule(WITNESS_MS, () => settle('uncertain'));
      this.#waiting.set(question, settle);
      witness.send({ type: 'host_question', question, host });
    });
  }
}
