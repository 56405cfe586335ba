import type { Clock } from '../../shared/base/clock.js';
import { DRAIN_DEADLINE_MS } from '../../shared/base/limits.js';
import { assertTransition, type Predecessors } from '../../shared/base/transitions.js';
import type { ChildMessage, SupervisorMessage } from '../processes/messages.js';

/** A child sends `alive` every second. If ten in a row are missing, its event loop is blocked. */
export const SILENCE_MS = 10_000;
/** Until its first message a child loads code and maps files, on a machine that may be busy because its siblings do the same. */
export const START_SILENCE_MS = 30_000;

/** How a process ended. `code` and `signal` are as Node.js reports them; both are null if it could not be started at all. */
export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** What the supervisor needs of a child process; `engine/supervisor/fork.ts` makes real ones. */
export interface ForkedProcess {
  /** 0 if it could not be started. */
  readonly pid: number;
  send(message: SupervisorMessage): void;
  kill(signal: NodeJS.Signals): void;
}

export interface ForkListeners {
  onMessage(message: ChildMessage): void;
  /** Called once, never before `Fork` has returned. */
  onExit(exit: Exit): void;
}

export type Fork = (listeners: ForkListeners) => ForkedProcess;

/**
 * One child process, from fork to exit.
 *
 * starting   It was forked and has not sent `ready` yet. Goes to serving on `ready`, to draining by `drain()`, to killed after
 *            silence.
 * serving    It does its work. Goes to draining by `drain()`, to killed after silence.
 * draining   It was asked to finish what is under way. Goes to killed at its deadline. Silence does not matter here, because
 *            the deadline comes soon enough.
 * killed     SIGKILL was sent, which cannot fail; the exit has not been reported yet.
 * gone       It has ended. Every mode goes here on exit. Final.
 */
export type ChildState =
  | { readonly mode: 'starting'; readonly lastHeardMs: number; readonly heard: boolean }
  | { readonly mode: 'serving'; readonly lastHeardMs: number }
  | { readonly mode: 'draining'; readonly killAtMs: number }
  | { readonly mode: 'killed'; readonly why: string }
  | { readonly mode: 'gone'; readonly exit: Exit };

export interface ChildEvents {
  onReady(child: Child): void;
  onAlive(child: Child, message: ChildMessage & { readonly type: 'alive' }): void;
  onHostAnswer(message: ChildMessage & { readonly type: 'host_answer' }): void;
  onKilled(child: Child, why: string): void;
  onGone(child: Child, exit: Exit): void;
}

const PREDECESSORS: Predecessors<ChildState['mode']> = {
  starting: ['starting'],
  serving: ['starting', 'serving'],
  draining: ['starting', 'serving'],
  killed: ['starting', 'serving', 'draining'],
  gone: ['starting', 'serving', 'draining', 'killed'],
};

export class Child {
  readonly startedAtMs: number;
  readonly #process: ForkedProcess;
  readonly #clock: Clock;
  readonly #events: ChildEvents;
  #state: ChildState;
  #readyAtMs: number | null = null;

  constructor(fork: Fork, clock: Clock, events: ChildEvents) {
    this.#clock = clock;
    this.#events = events;
    this.startedAtMs = clock();
    this.#state = { mode: 'starting', lastHeardMs: this.startedAtMs, heard: false };
    this.#process = fork({ onMessage: (message) => this.#onMessage(message), onExit: (exit) => this.#onExit(exit) });
  }

  get pid(): number {
    return this.#process.pid;
  }

  get state(): ChildState {
    return this.#state;
  }

  /** Returns for how many milliseconds it has served; 0 if it never became ready. */
  servedMs(): number {
    return this.#readyAtMs === null ? 0 : this.#clock() - this.#readyAtMs;
  }

  /** Asks it to finish what is under way and end; SIGKILL follows at the deadline. `whole`: whether the whole engine ends. */
  drain(whole: boolean): void {
    if (this.#state.mode !== 'starting' && this.#state.mode !== 'serving') return;
    this.#become({ mode: 'draining', killAtMs: this.#clock() + DRAIN_DEADLINE_MS });
    this.#process.send({ type: 'drain', whole });
  }

  send(message: SupervisorMessage): void {
    this.#process.send(message);
  }

  kill(why: string): void {
    if (this.#state.mode === 'killed' || this.#state.mode === 'gone') return;
    this.#become({ mode: 'killed', why });
    this.#events.onKilled(this, why);
    this.#process.kill('SIGKILL');
  }

  /** Checks silence and deadlines. Called a few times a second. */
  tick(): void {
    const now = this.#clock();
    const state = this.#state;
    if (state.mode === 'draining' && now >= state.killAtMs) this.kill('the drain deadline passed');
    else if (state.mode === 'starting' && !state.heard && now - state.lastHeardMs >= START_SILENCE_MS)
      this.kill(`it did not report for ${START_SILENCE_MS / 1000} s after its start`);
    else if ((state.mode === 'serving' || (state.mode === 'starting' && state.heard)) && now - state.lastHeardMs >= SILENCE_MS)
      this.kill(`it did not report for ${SILENCE_MS / 1000} s`);
  }

  #onMessage(message: ChildMessage): void {
    const now = this.#clock();
    const state = this.#state;
    const alive = state.mode !== 'killed' && state.mode !== 'gone';
    if (message.type === 'ready' && state.mode === 'starting') {
      this.#readyAtMs = now;
      this.#become({ mode: 'serving', lastHeardMs: now });
      this.#events.onReady(this);
    } else if (state.mode === 'starting') this.#become({ mode: 'starting', lastHeardMs: now, heard: true });
    else if (state.mode === 'serving') this.#become({ ...state, lastHeardMs: now });
    if (message.type === 'alive' && alive) this.#events.onAlive(this, message);
    else if (message.type === 'host_answer') this.#events.onHostAnswer(message);
  }

  #onExit(exit: Exit): void {
    if (this.#state.mode === 'gone') return;
    this.#become({ mode: 'gone', exit });
    this.#events.onGone(this, exit);
  }

  #become(state: ChildState): void {
    assertTransition('a child process', PREDECESSORS, this.#state.mode, state.mode);
    this.#state = state;
  }
}
