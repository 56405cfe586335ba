import { type ChildProcess, spawn } from 'node:child_process';
import { backoffMs } from '../../shared/base/backoff.js';
import { assertTransition, type Predecessors } from '../../shared/base/transitions.js';
import { PARENT_VARIABLE } from './parent-watch.js';
import { signalGroup } from './process-command.js';
import { StartError } from './start-error.js';

export interface ProcessSpec {
  /** `control plane`, as the operator reads it. */
  readonly name: string;
  /** Path of the compiled entry. */
  readonly entry: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Answers 200 once the process serves. */
  readonly readyUrl: string;
}

export interface SuperviseOptions {
  readonly log: (line: string) => void;
  /** Called with the number of every process that was started, and of every one that has ended. */
  readonly onStarted: (pid: number) => void;
  readonly onEnded: (pid: number) => void;
}

const RESTART_BASE_MS = 200;
const RESTART_CAP_MS = 10_000;
/** A process that lived this long had started well: its next failure is the first of a new row. */
const SETTLED_MS = 30_000;
/** Failures in a row before a process that never became ready ends the whole start. */
const FAILURES_BEFORE_READY_MAX = 3;
const READY_POLL_MS = 50;
/** What a process has forked notices that it is gone, and ends a moment later; what has not by then is killed. */
const FORKED_END_MS = 1_000;
const FORKED_POLL_MS = 10;
const READY_TIMEOUT_MS = 60_000;

/**
 * One process of the service.
 *
 * running   It lives. Its end, when nobody asked for it, leads to waiting.
 * waiting   It will be started again when the timer fires.
 * stopped   It was not started yet, or `stop()` was called; a process that still drains is in `child`. Left to running by
 *           `start()`.
 */
type State =
  | { readonly is: 'running'; readonly child: ChildProcess; readonly startedAt: number }
  | { readonly is: 'waiting'; readonly timer: NodeJS.Timeout }
  | { readonly is: 'stopped'; readonly child: ChildProcess | null };

const PREDECESSORS: Predecessors<State['is']> = {
  running: ['stopped', 'waiting'],
  waiting: ['running'],
  stopped: ['running', 'waiting', 'stopped'],
};

export class SupervisedProcess {
  readonly #spec: ProcessSpec;
  readonly #options: SuperviseOptions;
  #state: State = { is: 'stopped', child: null };
  #failuresInRow = 0;
  #restarts = 0;

  constructor(spec: ProcessSpec, options: SuperviseOptions) {
    this.#spec = spec;
    this.#options = options;
  }

  start(): void {
    // Before there is a process that nobody would stop.
    assertTransition(`the ${this.#spec.name}`, PREDECESSORS, this.#state.is, 'running');
    const child = spawn(process.execPath, ['--import', new URL('./parent-watch.js', import.meta.url).href, this.#spec.entry], {
      // A session of its own: Ctrl-C reaches the local start alone, which stops the parts in their order.
      detached: true,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      env: { ...this.#spec.environment, [PARENT_VARIABLE]: String(process.pid) },
    });
    this.#become({ is: 'running', child, startedAt: performance.now() });
    if (child.pid !== undefined) this.#options.onStarted(child.pid);
    child.once('error', (error) => this.#ended(child, error.message));
    child.once('exit', (code, signal) => this.#ended(child, signal ?? `code ${code}`));
  }

  stats(): { readonly pid: number | null; readonly restarts: number } {
    return { pid: this.#state.is === 'running' ? (this.#state.child.pid ?? null) : null, restarts: this.#restarts };
  }

  #ended(child: ChildProcess, how: string): void {
    if (child.pid !== undefined) this.#options.onEnded(child.pid);
    const state = this.#state;
    if (state.is !== 'running' || state.child !== child) return;
    if (performance.now() - state.startedAt > SETTLED_MS) this.#failuresInRow = 0;
    const waitMs = RESTART_BASE_MS + backoffMs(this.#failuresInRow, RESTART_BASE_MS, RESTART_CAP_MS);
    this.#failuresInRow++;
    this.#restarts++;
    this.#options.log(`the ${this.#spec.name} stopped unexpectedly (${how}); starting it again in ${waitMs} ms`);
    this.#become({ is: 'waiting', timer: setTimeout(() => this.start(), waitMs) });
  }

  #become(state: State): void {
    assertTransition(`the ${this.#spec.name}`, PREDECESSORS, this.#state.is, state.is);
    this.#state = state;
  }

  /**
   * Resolves when the process answers on its ready URL. Throws `StartError` when it is late, or keeps ending; for
   * `graceMs` what makes it end may still go away by itself.
   */
  async ready(aborted: AbortSignal, graceMs = 0): Promise<void> {
    const began = performance.now();
    const deadline = began + READY_TIMEOUT_MS;
    let reason = 'no answer';
    while (!aborted.aborted) {
      if (this.#failuresInRow >= FAILURES_BEFORE_READY_MAX && performance.now() - began >= graceMs)
        throw new StartError(
          `the ${this.#spec.name} stopped ${this.#failuresInRow} times before it was ready; see its log lines above for the reason`,
        );
      if (performance.now() > deadline)
        throw new StartError(`the ${this.#spec.name} is not ready after ${READY_TIMEOUT_MS / 1000} s (${reason})`);
      const answer = await probe(this.#spec.readyUrl);
      if (answer === 'ready') return;
      reason = answer;
      await new Promise((resolve) => setTimeout(resolve, READY_POLL_MS));
    }
  }

  /** Asks the process to drain, and kills it with all it has forked when `timeoutMs` have passed. Nothing of it runs afterwards. */
  async stop(timeoutMs: number): Promise<void> {
    const state = this.#state;
    if (state.is === 'waiting') clearTimeout(state.timer);
    const child = state.is === 'waiting' ? null : state.child;
    this.#become({ is: 'stopped', child });
    if (child === null || child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
    const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    const leader = child.pid; // of its own process group
    child.kill('SIGTERM');
    const timer = setTimeout(() => {
      this.#options.log(`the ${this.#spec.name} did not stop in ${timeoutMs / 1000} s; killing it`);
      signalGroup(leader, 'SIGKILL');
    }, timeoutMs);
    await exited;
    clearTimeout(timer);
    await endForked(leader);
  }

  /** Does not wait any longer: for a second Ctrl-C while `stop()` drains. */
  kill(): void {
    const child = this.#state.is === 'stopped' ? this.#state.child : null;
    if (child?.pid !== undefined && child.exitCode === null && child.signalCode === null) signalGroup(child.pid, 'SIGKILL');
  }
}

/** Resolves when the group of a process that has ended is empty. */
async function endForked(leader: number): Promise<void> {
  const deadline = performance.now() + FORKED_END_MS;
  while (signalGroup(leader, 0)) {
    if (performance.now() > deadline) {
      signalGroup(leader, 'SIGKILL');
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, FORKED_POLL_MS));
  }
}

/** `ready`, or what the process said instead. */
async function probe(url: string): Promise<string> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2000) });
    const text = await response.text();
    return response.status === 200 ? 'ready' : `${response.status} ${text.slice(0, 200)}`;
  } catch (error) {
    // Not listening yet, or not answering: the caller's deadline decides.
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return cause instanceof Error ? cause.message : String(cause);
  }
}
