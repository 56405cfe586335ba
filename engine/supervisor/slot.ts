import type { Clock } from '../../shared/base/clock.js';
import { invariant } from '../../shared/base/invariant.js';
import { assertTransition, type Predecessors } from '../../shared/base/transitions.js';
import type { ChildMessage } from '../processes/messages.js';
import { Child, type ChildEvents, type Exit, type Fork } from './child.js';
import { RestartDelays } from './restart-delay.js';

/** A successor that does not serve by then is given up, and the process that it was to replace stays. */
export const REPLACE_DEADLINE_MS = 60_000;

export interface SlotEvents {
  onReady(slot: Slot, child: Child): void;
  onAlive(slot: Slot, child: Child, message: ChildMessage & { readonly type: 'alive' }): void;
  onHostAnswer(message: ChildMessage & { readonly type: 'host_answer' }): void;
  onKilled(slot: Slot, child: Child, why: string): void;
  /** A child ended. `restartInMs` is null if its end was asked for. */
  onGone(slot: Slot, child: Child, exit: Exit, restartInMs: number | null): void;
}

/**
 * Which comes first when a process is replaced. Redirect processes share their port, so the successor serves before the
 * predecessor drains, and no visitor meets a closed port. Only one `background` may write to the store and ship the spool, and
 * only one node:http listener may have its port; there the predecessor ends first.
 */
export type ReplaceOrder = 'successor-first' | 'predecessor-first';

export interface SlotInput {
  readonly name: string;
  readonly order: ReplaceOrder;
  readonly fork: Fork;
  readonly clock: Clock;
  readonly random: () => number;
  readonly events: SlotEvents;
}

/**
 * The place of one process, which is kept filled.
 *
 * idle       Nothing was started. Goes to starting by `start()`.
 * starting   A child was forked. Goes to serving when it is ready, to waiting when it ends.
 * serving    The child serves. Goes to waiting when it ends unasked, to replacing or renewing by `replace()`.
 * waiting    There is no child until `startAtMs`. This mode is skipped if there is nothing to wait for.
 * replacing  Successor first: `child` serves while `next` starts. When `next` is ready, it takes the place, `child` drains aside,
 *            and the mode is serving. If `next` ends or is late, the mode is serving with `child` as before. If `child` ends, the
 *            mode is starting with `next`.
 * renewing   Predecessor first: `child` drains. Goes to starting when it has ended.
 * stopping   Everything drains. Goes to stopped when the last child has ended. Every mode goes here by `stop()`, or directly to
 *            stopped if there is no child.
 * stopped    Final.
 */
export type SlotState =
  | { readonly mode: 'idle' }
  | { readonly mode: 'starting'; readonly child: Child }
  | { readonly mode: 'serving'; readonly child: Child }
  | { readonly mode: 'waiting'; readonly startAtMs: number }
  | {
      readonly mode: 'replacing';
      readonly child: Child;
      readonly next: Child;
      readonly giveUpAtMs: number;
      settle(replaced: boolean): void;
    }
  | { readonly mode: 'renewing'; readonly child: Child; settle(replaced: boolean): void }
  | { readonly mode: 'stopping'; readonly children: ReadonlySet<Child>; readonly done: Promise<void>; finish(): void }
  | { readonly mode: 'stopped' };

const PREDECESSORS: Predecessors<SlotState['mode']> = {
  idle: [],
  // From serving and from itself if a restart does not wait.
  starting: ['idle', 'starting', 'serving', 'waiting', 'replacing', 'renewing'],
  serving: ['starting', 'replacing'],
  waiting: ['starting', 'serving'],
  replacing: ['serving'],
  renewing: ['serving'],
  stopping: ['starting', 'serving', 'waiting', 'replacing', 'renewing', 'stopping'],
  stopped: ['idle', 'waiting', 'stopping', 'stopped'],
};

export class Slot {
  readonly name: string;
  readonly crashes: RestartDelays;
  readonly #input: SlotInput;
  readonly #childEvents: ChildEvents;
  /** Replaced processes that still drain, each with the callback that waits for its end. */
  readonly #retired = new Map<Child, () => void>();
  #state: SlotState = { mode: 'idle' };
  #restarts = 0;

  constructor(input: SlotInput) {
    this.name = input.name;
    this.crashes = new RestartDelays(input.random);
    this.#input = input;
    this.#childEvents = {
      onReady: (child) => this.#onReady(child),
      onAlive: (child, message) => input.events.onAlive(this, child, message),
      onHostAnswer: (message) => input.events.onHostAnswer(message),
      onKilled: (child, why) => input.events.onKilled(this, child, why),
      onGone: (child, exit) => this.#onGone(child, exit),
    };
  }

  get state(): SlotState {
    return this.#state;
  }

  /** How often a process was started here because its predecessor had ended unasked. */
  get restarts(): number {
    return this.#restarts;
  }

  /** The child that holds the place; null if there is none. */
  get child(): Child | null {
    const state = this.#state;
    return 'child' in state ? state.child : null;
  }

  start(): void {
    if (this.#state.mode === 'idle') this.#launch();
  }

  /** Called a few times a second. */
  tick(): void {
    const now = this.#input.clock();
    if (this.#state.mode === 'waiting' && now >= this.#state.startAtMs) this.#restart();
    if (this.#state.mode === 'replacing' && now >= this.#state.giveUpAtMs) this.#state.next.kill('it was not ready in time to take over');
    for (const child of this.#children()) child.tick();
  }

  /**
   * Replaces the process with a new one. Resolves to true when the old one has ended and the new one serves, or has been started
   * if the old one ended first; to false if the old one stays because the new one failed. While a process is being started anyway
   * there is nothing to replace.
   */
  replace(): Promise<boolean> {
    const state = this.#state;
    if (state.mode === 'starting' || state.mode === 'waiting') return Promise.resolve(true);
    if (state.mode !== 'serving') return Promise.resolve(false);
    const { child } = state;
    return new Promise((settle) => {
      if (this.#input.order === 'predecessor-first') {
        this.#become({ mode: 'renewing', child, settle });
        child.drain(false);
      } else
        this.#become({
          mode: 'replacing',
          child,
          next: this.#fork(),
          giveUpAtMs: this.#input.clock() + REPLACE_DEADLINE_MS,
          settle,
        });
    });
  }

  /** Drains everything; resolves when the last process has ended, at most the drain deadline later. */
  stop(): Promise<void> {
    const state = this.#state;
    if (state.mode === 'stopping') return state.done;
    const children = new Set(this.#children());
    if (state.mode === 'replacing' || state.mode === 'renewing') state.settle(false);
    for (const settle of this.#retired.values()) settle();
    this.#retired.clear();
    if (children.size === 0) {
      this.#become({ mode: 'stopped' });
      return Promise.resolve();
    }
    const { promise, resolve } = withResolver();
    this.#become({ mode: 'stopping', children, done: promise, finish: resolve });
    for (const child of children) child.drain(true);
    return promise;
  }

  /** Ends the processes here with SIGKILL, as a crash would; they are started again. */
  kill(why: string): void {
    for (const child of this.#children()) child.kill(why);
  }

  #children(): Child[] {
    const state = this.#state;
    const children = [...this.#retired.keys()];
    if (state.mode === 'stopping') children.push(...state.children);
    else if ('child' in state) children.push(state.child);
    if (state.mode === 'replacing') children.push(state.next);
    return children;
  }

  #fork(): Child {
    return new Child(this.#input.fork, this.#input.clock, this.#childEvents);
  }

  #launch(): void {
    this.#become({ mode: 'starting', child: this.#fork() });
  }

  #restart(): void {
    this.#restarts++;
    this.#launch();
  }

  #onReady(child: Child): void {
    const state = this.#state;
    if (state.mode === 'starting' && child === state.child) this.#become({ mode: 'serving', child });
    else if (state.mode === 'replacing' && child === state.next) {
      const { child: old, settle } = state;
      this.#become({ mode: 'serving', child });
      this.#retired.set(old, () => settle(true));
      old.drain(false);
    }
    this.#input.events.onReady(this, child);
  }

  #onGone(child: Child, exit: Exit): void {
    const state = this.#state;
    let restartInMs: number | null = null;
    const retired = this.#retired.get(child);
    if (retired !== undefined) {
      this.#retired.delete(child);
      retired();
    } else if (state.mode === 'stopping') this.#endOne(state, child);
    else if (state.mode === 'renewing') {
      this.#launch();
      state.settle(true);
    } else if (state.mode === 'replacing') this.#endOfReplacing(state, child, exit);
    else restartInMs = this.#refill(child, exit);
    this.#input.events.onGone(this, child, exit, restartInMs);
  }

  #endOne(state: SlotState & { readonly mode: 'stopping' }, child: Child): void {
    const children = new Set(state.children);
    children.delete(child);
    this.#become(children.size > 0 ? { ...state, children } : { mode: 'stopped' });
    if (children.size === 0) state.finish();
  }

  #endOfReplacing(state: SlotState & { readonly mode: 'replacing' }, child: Child, exit: Exit): void {
    if (child === state.next) {
      this.#become({ mode: 'serving', child: state.child });
      state.settle(false);
    } else {
      this.crashes.note(child.servedMs(), exit.signal);
      this.#become({ mode: 'starting', child: state.next });
      state.settle(true);
    }
  }

  #refill(child: Child, exit: Exit): number {
    invariant(child === this.child, 'a child that ends is in its place, retired or stopping');
    const waitMs = this.crashes.note(child.servedMs(), exit.signal);
    if (waitMs === 0) this.#restart();
    else this.#become({ mode: 'waiting', startAtMs: this.#input.clock() + waitMs });
    return waitMs;
  }

  #become(state: SlotState): void {
    assertTransition(`the slot ${this.name}`, PREDECESSORS, this.#state.mode, state.mode);
    this.#state = state;
  }
}

/** `Promise.withResolvers` of ES2024, for Node 20. */
function withResolver(): { promise: Promise<void>; resolve: () => void } {
  let resolve: () => void = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
