import { HOST_QUESTIONS_MAX } from '../../shared/base/limits.js';
import type { Scheduler } from '../../shared/base/scheduler.js';
import type { ChildMessage, HostAnswer, SupervisorMessage } from '../processes/messages.js';

/** How long to wait for the answer of one process. A healthy process answers within a millisecond. */
export const WITNESS_MS = 250;

/** A process that has the table of hosts. */
export interface Witness {
  send(message: SupervisorMessage): void;
}

export interface HostQuestionsInput {
  /** Returns the processes that currently serve, with the one to ask first at the front. */
  witnesses(): readonly Witness[];
  readonly schedule: Scheduler;
}

type AnswerMessage = ChildMessage & { readonly type: 'host_answer' };

/**
 * Asks the redirect processes whether a host is one of theirs, because the supervisor itself holds no store that could fail under
 * it. The first process that says yes or no is believed. If a process is silent, gone, or does not have the whole table, the next
 * one is asked, so that one process that serves is enough.
 */
export class HostQuestions {
  readonly #input: HostQuestionsInput;
  readonly #waiting = new Map<number, (answer: HostAnswer) => void>();
  #last = 0;

  constructor(input: HostQuestionsInput) {
    this.#input = input;
  }

  /** Returns `uncertain` if no process could tell, or if too many questions are waiting already. */
  async ask(host: string): Promise<HostAnswer> {
    for (const witness of this.#input.witnesses()) {
      if (this.#waiting.size >= HOST_QUESTIONS_MAX) return 'uncertain';
      const answer = await this.#askOne(witness, host);
      if (answer !== 'uncertain') return answer;
    }
    return 'uncertain';
  }

  /** An answer that comes too late is ignored. */
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
