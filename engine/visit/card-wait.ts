import { assertTransition, type Predecessors } from '../../shared/base/transitions.js';
import type { MetadataApiRecord } from '../../shared/records/records.js';
import type { FoundItem, ItemAnswers, Outcome, Waiting } from '../preview/item-answers.js';

/** The result of a preview bot's wait. `none`: there is no answer. `refused`: too many questions are waiting already. */
export type CardOutcome =
  | { readonly kind: 'found'; readonly found: FoundItem }
  | Extract<Outcome, { readonly kind: 'answer' }>
  | { readonly kind: 'none' }
  | { readonly kind: 'refused' };

export interface CardWaitOptions {
  readonly items: ItemAnswers;
  /** Returns the item's API as currently configured; null if there is none to ask. */
  readonly api: () => MetadataApiRecord | null;
  readonly itemId: string;
  readonly waitMs: number;
  /** Called once, unless `leave` is called first. */
  readonly onOutcome: (outcome: CardOutcome) => void;
}

/** The pause before a question is repeated. Within this time every process acts by a changed configuration. */
const AGAIN_AFTER_MS = 25;

/**
 * One preview bot's wait for an item.
 *
 * `idle`     `begin` has not been called yet.
 * `asking`   A question is under way. Goes to `over` with its outcome. Goes to `pausing` if the question has to be repeated
 *            because the configuration has changed, the item was invalidated, or the question timed out that the bot shared
 *            with an earlier one.
 * `pausing`  Waits for `AGAIN_AFTER_MS`. Goes to `over` if the answer is known by then, if there is no longer an API to ask,
 *            or if too many questions are waiting; otherwise to `asking`.
 * `over`     The wait has ended with its outcome, or through `leave`, which is possible in every state.
 */
type WaitState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'asking'; readonly waiting: Waiting }
  | { readonly kind: 'pausing'; readonly timer: NodeJS.Timeout; readonly called: boolean; readonly api: MetadataApiRecord }
  | { readonly kind: 'over' };

const PREDECESSORS: Predecessors<WaitState['kind']> = {
  idle: [],
  asking: ['idle', 'pausing'],
  pausing: ['asking'],
  over: ['idle', 'asking', 'pausing', 'over'],
};

export class CardWait {
  readonly #options: CardWaitOptions;
  readonly #untilMs: number;
  #state: WaitState = { kind: 'idle' };

  constructor(options: CardWaitOptions) {
    this.#options = options;
    this.#untilMs = performance.now() + options.waitMs;
  }

  /** Returns false, and never calls `onOutcome`, if too many questions are waiting already. */
  begin(api: MetadataApiRecord): boolean {
    return this.#ask(api, false);
  }

  /** Ends the wait. `answered`: whether the bot received another answer instead. */
  leave(answered: boolean): void {
    const state = this.#state;
    this.#become({ kind: 'over' });
    if (state.kind === 'asking') state.waiting.leave(answered);
    if (state.kind !== 'pausing') return;
    clearTimeout(state.timer);
    if (state.called && answered) this.#options.items.figures.count(state.api.resource_type_id, 'previews_called');
  }

  #become(state: WaitState): void {
    assertTransition("a preview bot's wait", PREDECESSORS, this.#state.kind, state.kind);
    this.#state = state;
  }

  #ask(api: MetadataApiRecord, called: boolean): boolean {
    const { items, itemId } = this.#options;
    const waiter = (outcome: Outcome) => this.#hear(api, outcome);
    const waiting = items.wait(api, itemId, Math.max(0, this.#untilMs - performance.now()), { called, waiter });
    if (waiting === null) return false;
    this.#become({ kind: 'asking', waiting });
    return true;
  }

  #hear(api: MetadataApiRecord, outcome: Outcome): boolean {
    if (outcome.kind !== 'again') {
      this.#end(outcome);
      return true;
    }
    const timer = setTimeout(() => this.#again(api, outcome.called), AGAIN_AFTER_MS);
    this.#become({ kind: 'pausing', timer, called: outcome.called, api });
    return false;
  }

  /** `asked` is the API that was asked before. By now there may be another one, or none. */
  #again(asked: MetadataApiRecord, called: boolean): void {
    const { items, itemId } = this.#options;
    const api = this.#options.api();
    const found = api === null ? null : items.find(api, itemId);
    if (api !== null && found === null && this.#ask(api, called)) return;
    if (called) items.figures.count(asked.resource_type_id, 'previews_called');
    if (api === null) this.#end({ kind: 'none' });
    else this.#end(found === null ? { kind: 'refused' } : { kind: 'found', found });
  }

  #end(outcome: CardOutcome): void {
    this.#become({ kind: 'over' });
    this.#options.onOutcome(outcome);
  }
}
