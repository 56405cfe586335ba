import type { Logger } from '../../shared/base/log.js';
import type { Delivery } from './deliver.js';
import type { DeliveryReport, WorkerSettings } from './deliver.worker.js';
import { DeliveryLane, type DeliveryLaneOptions } from './delivery-lane.js';
import { SolitaryThreads } from './solitary-threads.js';

export interface DeliveryThreadsOptions extends WorkerSettings {
  readonly threads: number;
  /** The module that a thread runs; `deliver.worker.js` if absent. */
  readonly module?: URL;
  readonly log: Logger;
  readonly onReports: (reports: readonly DeliveryReport[]) => void;
  /**
   * A thread died or was replaced while these deliveries were under way. Those that it had already reported are among them, and
   * the callback has to recognise them. `alone` is true if the thread had only this one delivery, which is then what ended it.
   */
  readonly onLost: (keys: readonly number[], alone: boolean) => void;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}

/** The maximum number of deliveries in one task of a thread. A task costs 60 to 80 µs of round trip, an additional delivery in it none. */
const BATCH_MAX = 64;

/**
 * How long the threads count as failing after a failure if nothing has been reported since. It is longer than a lease and the scan
 * that finds lost rows, so that threads which die with every delivery always count as failing. It has an end because a thread
 * may die while there is nothing to send and thus nothing to report.
 */
const FAILING_FOR_MS = 60_000;

const DELIVERY_MODULE = new URL('deliver.worker.js', import.meta.url);

/** The threads that sign and send. A thread that dies or hangs is replaced, and its deliveries are reported to the owner as lost. */
export class DeliveryThreads {
  readonly #options: DeliveryThreadsOptions;
  readonly #lanes: readonly DeliveryLane[];
  readonly #solitary: SolitaryThreads;
  readonly #now: () => number;
  #stopping = false;
  #failures = 0;
  /** null if something was reported since. */
  #failedAtMs: number | null = null;

  constructor(options: DeliveryThreadsOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
    const { serviceName, allow, timeoutMs, module = DELIVERY_MODULE } = options;
    const laneOptions = (alone: boolean): DeliveryLaneOptions => ({
      module,
      settings: { serviceName, allow, timeoutMs },
      onReports: (reports) => {
        // A delivery that was not sent says nothing about the threads.
        if (reports.some(({ result }) => result !== null)) this.#failedAtMs = null;
        options.onReports(reports);
      },
      onLost: (error, keys) => this.#failed(error, keys, alone),
    });
    this.#lanes = Array.from({ length: options.threads }, () => new DeliveryLane(laneOptions(false)));
    this.#solitary = new SolitaryThreads(laneOptions(true));
  }

  /**
   * Spreads a small number of deliveries over all threads, and sends a large number in full batches. Each batch goes to the thread
   * with the least to do.
   */
  send(deliveries: readonly Delivery[]): void {
    const size = Math.min(BATCH_MAX, Math.ceil(deliveries.length / this.#lanes.length));
    for (let at = 0; at < deliveries.length; at += size) void this.#freest().send(deliveries.slice(at, at + size));
  }

  /** Sends each on a thread that has nothing else to do, because one of them may be what ended threads before. */
  sendAlone(deliveries: readonly Delivery[]): void {
    for (const delivery of deliveries) this.#solitary.send(delivery);
  }

  /** Drops deliveries that wait to be sent alone and could no longer end before their lease does. */
  dropLate(nowMs: number): void {
    this.#solitary.dropLate(nowMs + this.#options.timeoutMs);
  }

  /** Gives up on these deliveries: the threads that hold them hang and are replaced, with everything that those have under way. */
  giveUp(keys: readonly number[]): void {
    for (const key of keys) {
      const lane = this.#lanes.find((candidate) => candidate.holds(key));
      if (lane !== undefined) lane.giveUp();
      // Otherwise its thread died after the delivery had ended, and before it could report that.
      else if (!this.#solitary.giveUp(key)) this.#options.onLost([key], false);
    }
  }

  /** Returns how many threads died or hung, and whether they are failing: one did so a moment ago, and nothing was reported since. */
  stats(): { readonly failures: number; readonly failing: boolean } {
    const failing = this.#failedAtMs !== null && this.#now() < this.#failedAtMs + FAILING_FOR_MS;
    return { failures: this.#failures, failing };
  }

  /** Ends the threads with whatever they have under way. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await Promise.all([...this.#lanes.map((lane) => lane.stop()), this.#solitary.stop()]);
  }

  #freest(): DeliveryLane {
    return this.#lanes.reduce((freest, lane) => (isFreer(lane, freest) ? lane : freest));
  }

  #failed(error: unknown, keys: readonly number[], alone: boolean): void {
    if (this.#stopping) return;
    this.#failures++;
    this.#failedAtMs = this.#now();
    this.#options.log.error({ code: 'delivery_thread_failed', err: error, deliveries: keys.length }, 'a webhook delivery thread failed');
    this.#options.onLost(keys, alone);
  }
}

/** Whether the lane should be used before the other one. A thread that is still starting is used only if all are. */
function isFreer(lane: DeliveryLane, other: DeliveryLane): boolean {
  return lane.isUp === other.isUp ? lane.load < other.load : lane.isUp;
}
