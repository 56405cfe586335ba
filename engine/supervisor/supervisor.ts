import type { Clock } from '../../shared/base/clock.js';
import type { Logger } from '../../shared/base/log.js';
import type { PartHealth } from '../../shared/base/part-health.js';
import type { Scheduler } from '../../shared/base/scheduler.js';
import type { ProcessStatus } from '../processes/health.js';
import type { ChildMessage, HostAnswer } from '../processes/messages.js';
import type { Child, Exit, Fork } from './child.js';
import { HostQuestions } from './host-questions.js';
import { readiness } from './readiness.js';
import { type ReplaceOrder, Slot } from './slot.js';

/** A process of the engine, and how to start it. */
export interface ProcessSpec {
  /** `redirect-0`, `background`. */
  readonly name: string;
  readonly order: ReplaceOrder;
  /** Whether the process has the table of hosts and can be asked about it. */
  readonly knowsHosts: boolean;
  /** Whether the process receives the state of all processes, including its own, each time it reports its own. */
  readonly hearsOfAll: boolean;
  readonly fork: Fork;
}

export interface SupervisorInput {
  readonly processes: readonly ProcessSpec[];
  readonly clock: Clock;
  readonly random: () => number;
  readonly schedule: Scheduler;
  readonly log: Logger;
  /** Receives a child's prom-client values. `process` is its name; `pid` distinguishes two processes in the same place. */
  onMetrics(process: string, pid: number, metrics: unknown): void;
  /** Called when the child has ended and will send no more. */
  onGone(process: string, pid: number): void;
  /** Called if processes keep crashing in native code: the store on disk may be the cause. Must not throw. */
  onStoreSuspicion(): void;
}

interface Report {
  readonly pid: number;
  readonly heardAtMs: number;
  readonly parts: readonly PartHealth[];
}

/**
 * Keeps one process in every place and replaces processes on demand. It holds no socket, no store and no connection, so that it
 * cannot die of what its children die of.
 */
export class Supervisor {
  readonly #input: SupervisorInput;
  readonly #slots: ReadonlyMap<string, Slot>;
  readonly #reports = new Map<string, Report>();
  readonly #hostQuestions: HostQuestions;
  /** The counter that selects the process to ask first. Processes take turns. */
  #firstAsked = 0;
  /** The rolling restart under way; a second request joins it. */
  #rolling: Promise<boolean> | null = null;
  #stopping = false;

  constructor(input: SupervisorInput) {
    this.#input = input;
    const { clock, random } = input;
    this.#hostQuestions = new HostQuestions({ witnesses: () => this.#witnesses(), schedule: input.schedule });
    const events = {
      onReady: (slot: Slot, child: Child) =>
        input.log.info({ code: 'process_serving', process: slot.name, child_pid: child.pid }, 'process serves'),
      onAlive: (slot: Slot, child: Child, message: ChildMessage & { readonly type: 'alive' }) => this.#onAlive(slot, child, message),
      onHostAnswer: (message: ChildMessage & { readonly type: 'host_answer' }) => this.#hostQuestions.onAnswer(message),
      onKilled: (slot: Slot, child: Child, why: string) =>
        input.log.error({ code: 'process_killed', process: slot.name, child_pid: child.pid, why }, 'process is killed'),
      onGone: (slot: Slot, child: Child, exit: Exit, restartInMs: number | null) => this.#onGone(slot, child, exit, restartInMs),
    };
    this.#slots = new Map(
      input.processes.map(({ name, order, fork }) => [name, new Slot({ name, order, fork, clock, random, events })] as const),
    );
  }

  /** Whether the host is one that the redirect processes serve. */
  knowsHost(host: string): Promise<HostAnswer> {
    return this.#hostQuestions.ask(host);
  }

  /** Returns every process that serves and has the table, with another one at the front each time. */
  #witnesses(): readonly Child[] {
    const children = this.#input.processes.flatMap(({ name, knowsHosts }) => {
      const child = knowsHosts ? this.#slots.get(name)?.child : null;
      return child?.state.mode === 'serving' ? [child] : [];
    });
    const first = this.#firstAsked++ % Math.max(1, children.length);
    return [...children.slice(first), ...children.slice(0, first)];
  }

  /** Starts the process of that name, unless it was started or stopped before. */
  start(name: string): void {
    if (!this.#stopping) this.#slots.get(name)?.start();
  }

  /** Must be called a few times a second. */
  tick(): void {
    for (const slot of this.#slots.values()) slot.tick();
  }

  /**
   * Replaces every process, one after the other. Resolves to false if a new process failed: the old one stays, and the remaining
   * ones are not replaced.
   */
  rollingRestart(): Promise<boolean> {
    this.#rolling ??= this.#roll().finally(() => {
      this.#rolling = null;
    });
    return this.#rolling;
  }

  async #roll(): Promise<boolean> {
    for (const slot of this.#slots.values()) {
      const replaced = await slot.replace();
      if (!replaced) {
        this.#input.log.error(
          { code: 'rolling_restart_failed', process: slot.name },
          'rolling restart stopped: the new process did not start, the old one keeps running',
        );
        return false;
      }
    }
    this.#input.log.info({ code: 'rolling_restart_done' }, 'rolling restart done');
    return true;
  }

  /** Drains every process; resolves when the last one has ended, at most the drain deadline later. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await Promise.all([...this.#slots.values()].map((slot) => slot.stop()));
  }

  /** Ends all processes with SIGKILL, for an operator who does not want to wait for the drain. */
  kill(why: string): void {
    for (const slot of this.#slots.values()) slot.kill(why);
  }

  status(): readonly ProcessStatus[] {
    const now = this.#input.clock();
    return [...this.#slots.values()].map((slot) => {
      const report = this.#reports.get(slot.name);
      const pid = slot.child?.pid ?? null;
      const current = report !== undefined && report.pid === pid ? report : null;
      return {
        name: slot.name,
        mode: slot.state.mode,
        pid,
        silent_ms: current === null ? null : Math.round(now - current.heardAtMs),
        restarts: slot.restarts,
        parts: current?.parts ?? [],
      };
    });
  }

  #onAlive(slot: Slot, child: Child, message: ChildMessage & { readonly type: 'alive' }): void {
    this.#input.onMetrics(slot.name, child.pid, message.metrics);
    // A process that drains after it was replaced still counts in the metrics, but the place's health is its successor's.
    if (slot.child !== child) return;
    this.#reports.set(slot.name, { pid: child.pid, heardAtMs: this.#input.clock(), parts: message.health });
    if (this.#input.processes.some(({ name, hearsOfAll }) => hearsOfAll && name === slot.name))
      child.send({ type: 'health', health: readiness(this.status()) });
  }

  #onGone(slot: Slot, child: Child, exit: Exit, restartInMs: number | null): void {
    this.#input.onGone(slot.name, child.pid);
    const facts = { process: slot.name, child_pid: child.pid, exit_code: exit.code, signal: exit.signal };
    if (restartInMs === null) this.#input.log.info({ code: 'process_ended', ...facts }, 'process ended');
    else this.#input.log.error({ code: 'process_died', ...facts, restart_in_ms: restartInMs }, 'process ended unexpectedly');
    if (slot.crashes.takeStoreSuspicion()) this.#input.onStoreSuspicion();
  }
}
