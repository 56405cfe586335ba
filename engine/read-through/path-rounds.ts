import { setImmediate } from 'node:timers/promises';
import { READ_THROUGH_ROUND_MS, READ_THROUGH_WAITING_MAX } from '../../shared/base/limits.js';
import type { Scheduler } from '../../shared/base/scheduler.js';
import { assertTransition, type Predecessors } from '../../shared/base/transitions.js';
import type { LinkRecord } from '../../shared/records/records.js';

/** A visitor who waits for a path. Either `answered` or `failed` is called once, or the visitor leaves before. */
export interface PathVisitor {
  /** Called with the link, or null if there was none after the question was asked. */
  answered(link: LinkRecord | null): void;
  /** Called if the look-up failed. */
  failed(error: unknown): void;
}

/** A path for which visitors wait. */
export interface PathQuestion {
  /** Identifies the path in its environment: equal keys are one question. */
  readonly key: string;
  readonly environmentId: string;
  readonly path: string;
}

/** Links by the keys of the questions. A question whose key is missing has no link. */
export type FoundLinks = ReadonlyMap<string, LinkRecord>;

export interface PathRoundsOptions {
  /** Looks up all of them at once. */
  readonly lookUp: (questions: readonly PathQuestion[]) => Promise<FoundLinks>;
  readonly schedule: Scheduler;
  /** Monotonic milliseconds. */
  readonly now: () => number;
}

interface Waiting extends PathQuestion {
  readonly visitors: PathVisitor[];
}

/**
 * Combines the look-ups of many visitors into one statement, so that a path costs only one look-up in an index. Rounds run one
 * after the other, each with the visits that came after the previous round began: a visit must not use the answer "no link"
 * of a round that began before it.
 *
 * `idle`     No visitor waits. Exit: `asking` at the first question.
 * `asking`   A round is under way; visitors who come wait for the next one. Exit: `pausing` when it has ended.
 * `pausing`  `READ_THROUGH_ROUND_MS` have not passed since the round began. Exits: `asking`; `idle` if no visitor waits.
 */
type RoundState = 'idle' | 'asking' | 'pausing';

const PREDECESSORS: Predecessors<RoundState> = {
  idle: ['pausing'],
  asking: ['idle', 'pausing'],
  pausing: ['asking'],
};

/**
 * Number of questions that are answered before the event loop continues. If somebody tries thousands of paths, the visitor of
 * a known link then waits for a quarter of a millisecond, and not for all answers of a round.
 */
const QUESTIONS_AT_ONCE = 16;

export class PathRounds {
  readonly #options: PathRoundsOptions;
  #state: RoundState = 'idle';
  /** The questions of the next round. */
  #waiting = new Map<string, Waiting>();

  constructor(options: PathRoundsOptions) {
    this.#options = options;
  }

  /** Returns the question for which the visitor now waits; null if too many wait. */
  join(key: string, environmentId: string, path: string, visitor: PathVisitor): PathQuestion | null {
    const joined = this.#waiting.get(key);
    if (joined !== undefined) {
      joined.visitors.push(visitor);
      return joined;
    }
    if (this.#waiting.size >= READ_THROUGH_WAITING_MAX) return null;
    const question: Waiting = { key, environmentId, path, visitors: [visitor] };
    this.#waiting.set(key, question);
    if (this.#state === 'idle') this.#begin();
    return question;
  }

  /** The visitor no longer waits. A question without visitors is not asked. */
  leave(question: PathQuestion, visitor: PathVisitor): void {
    const waiting = this.#waiting.get(question.key);
    if (waiting !== question) return;
    waiting.visitors.splice(waiting.visitors.indexOf(visitor), 1);
    if (waiting.visitors.length === 0) this.#waiting.delete(question.key);
  }

  #begin(): void {
    const questions = [...this.#waiting.values()];
    // Not emptied: `clear` leaves a table that points to the next one, and so on, and V8 frees none of them for a long time.
    this.#waiting = new Map();
    this.#become(questions.length === 0 ? 'idle' : 'asking');
    if (questions.length === 0) return;
    void this.#ask(questions);
  }

  async #ask(questions: readonly Waiting[]): Promise<void> {
    const beganAt = this.#options.now();
    const settle = await this.#outcomeOf(questions);
    for (let from = 0; from < questions.length; from += QUESTIONS_AT_ONCE) {
      if (from > 0) await setImmediate();
      for (const question of questions.slice(from, from + QUESTIONS_AT_ONCE)) settle(question);
    }
    this.#pause(beganAt);
  }

  /** Returns the function that answers the visitors of a question. Visitors of links that were found are answered before all others. */
  async #outcomeOf(questions: readonly Waiting[]): Promise<(question: Waiting) => void> {
    try {
      const found = await this.#options.lookUp(questions);
      for (const question of found.size === 0 ? [] : questions) {
        const link = found.get(question.key);
        if (link !== undefined) answerAll(question, link);
      }
      for (const [key, link] of found) this.#foundMeanwhile(key, link);
      return (question) => {
        if (!found.has(question.key)) answerAll(question, null);
      };
    } catch (error) {
      return ({ visitors }) => {
        for (const visitor of visitors) visitor.failed(error);
      };
    }
  }

  /** Visitors who came during the round need no other round if the link was found. */
  #foundMeanwhile(key: string, link: LinkRecord): void {
    const waiting = this.#waiting.get(key);
    if (waiting === undefined) return;
    this.#waiting.delete(key);
    answerAll(waiting, link);
  }

  #become(state: RoundState): void {
    assertTransition('the rounds of questions', PREDECESSORS, this.#state, state);
    this.#state = state;
  }

  #pause(beganAt: number): void {
    this.#become('pausing');
    const restMs = READ_THROUGH_ROUND_MS - (this.#options.now() - beganAt);
    if (restMs > 0) this.#options.schedule(restMs, () => this.#begin());
    else this.#begin();
  }
}

function answerAll({ visitors }: Waiting, link: LinkRecord | null): void {
  for (const visitor of visitors) visitor.answered(link);
}
