import { type ChildProcess, spawn } from 'node:child_process';
import { backoffMs } from '../../shared/base/backoff.js';
import { assertTransition, type Predecessors } from '../../shared/base/transitions.js';
import { PARENT_VARIABLE } from './parent-watch.js';
import { signalGroup } from './process-command.js';
import { StartError } from './start-error.js';

export interface ProcessSpec {
  /** The name that the operator reads, such as `control plane`. */
  readonly name: string;
  /** Path of the compiled entry point. */
  readonly entry: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Returns 200 when the process serves. */
  readonly readyUrl: string;
}

export interface SuperviseOptions {
  readonly log: (line: string) => void;
  /** Called with the id of every process that was started, and of every process that has ended. */
  readonly onStarted: (pid: number) => void;
  readonly onEnded: (pid: number) => void;
}

const RESTART_BASE_MS = 200;
const RESTART_CAP_MS = 10_000;
/** A process that lived this long had started well, so its next failure is the first of a new series. */
const SETTLED_MS = 30_000;
/** How many failures in a row end the whole start if the process never became ready. */
const FAILURES_BEFORE_READY_MAX = 3;
const READY_POLL_MS = 50;
/** Processes that a process has forked notice that it is gone, and end a moment later. Those that have not ended by then are killed. */
const FORKED_END_MS = 1_000;
const FORKED_POLL_MS = 10;
const READY_TIMEOUT_MS = 60_000;

/**
 * One process of the service.
 *
 * running   It is alive. If it ends without a request, the state becomes waiting.
 * waiting   It will be started again when the timer fires.
 * stopped   It was not started yet, or `stop()` was called; a process that is still draining is in `child`. `start()` leads to running.
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
    // Checked before the process is spawned, because nobody would stop it afterwards.
    assertTransition(`the ${this.#spec.name}`, PREDECESSORS, this.#state.is, 'running');
    const child = spawn(process.execPath, ['--import', new URL('./parent-watch.js', import.meta.url).href, this.#spec.entry], {
      // A separate session: Ctrl-C reaches only the local start, which stops the parts in their order.
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
   * Resolves when the process responds at its ready URL. Throws `StartError` if it takes too long or keeps ending. During `graceMs`, the
   * cause may still go away by itself.
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

  /** Asks the process to drain, and kills it with everything that it has forked after `timeoutMs`. Afterwards nothing of it is running. */
  async stop(timeoutMs: number): Promise<void> {
    const state = this.#state;
    if (state.is === 'waiting') clearTimeout(state.timer);
    const child = state.is === 'waiting' ? null : state.child;
    this.#become({ is: 'stopped', child });
    if (child === null || child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
    const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    const leader = child.pid; // the leader of its own process group
    child.kill('SIGTERM');
    const timer = setTimeout(() => {
      this.#options.log(`the ${this.#spec.name} did not stop in ${timeoutMs / 1000} s; killing it`);
      signalGroup(leader, 'SIGKILL');
    }, timeoutMs);
    await exited;
    clearTimeout(timer);
    await endForked(leader);
  }

  /** Kills the process without waiting any longer, for a second Ctrl-C while `stop()` drains. */
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

/** Returns `ready`, or what the process responded instead. */
async function probe(url: string): Promise<string> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2000) });
    const text = await response.text();
    return response.status === 200 ? 'ready' : `${response.status} ${text.slice(0, 200)}`;
  } catch (error) {
    // It is not listening yet, or not responding. The caller's deadline decides.
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return cause instanceof Error ? cause.message : String(cause);
  }
}
