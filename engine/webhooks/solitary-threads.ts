import { setTimeout as delay } from 'node:timers/promises';
import type { Delivery } from './deliver.js';
import { DeliveryLane, type DeliveryLaneOptions } from './delivery-lane.js';

/** The maximum number of deliveries that are sent alone at the same time. */
const THREADS_MAX = 4;
const REPORT_MS_MAX = 5000;

/**
 * Threads that send one delivery at a time. If a thread dies or hangs here, it is known which delivery does that, and no other
 * delivery is affected. The threads exist only while there is something to send.
 */
export class SolitaryThreads {
  readonly #options: DeliveryLaneOptions;
  readonly #lanes = new Set<DeliveryLane>();
  readonly #waiting: Delivery[] = [];

  constructor(options: DeliveryLaneOptions) {
    this.#options = options;
  }

  send(delivery: Delivery): void {
    this.#waiting.push(delivery);
    if (this.#lanes.size < THREADS_MAX) void this.#work();
  }

  /**
   * Reports those deliveries as not sent that still wait and whose lease ends by then, while the claim can still be told apart
   * from the next one.
   */
  dropLate(leaseEndsByMs: number): void {
    const late = this.#waiting.filter(({ lease_ends_at_ms }) => lease_ends_at_ms <= leaseEndsByMs);
    for (const delivery of late) this.#waiting.splice(this.#waiting.indexOf(delivery), 1);
    if (late.length > 0) this.#options.onReports(late.map(({ key }) => ({ key, result: null })));
  }

  /**
   * Gives up on the delivery: its thread is replaced. A delivery that still waits is reported as not sent. Returns false if there
   * is no such delivery here.
   */
  giveUp(key: number): boolean {
    const at = this.#waiting.findIndex((delivery) => delivery.key === key);
    if (at !== -1) {
      this.#waiting.splice(at, 1);
      this.#options.onReports([{ key, result: null }]);
      return true;
    }
    const lane = [...this.#lanes].find((candidate) => candidate.holds(key));
    lane?.giveUp();
    return lane !== undefined;
  }

  async stop(): Promise<void> {
    this.#waiting.length = 0;
    await Promise.all([...this.#lanes].map((lane) => lane.stop()));
  }

  /** Sends one delivery after the other, each on a thread that has nothing else, until none waits. */
  async #work(): Promise<void> {
    const lane = new DeliveryLane(this.#options);
    this.#lanes.add(lane);
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) await lane.send([next]);
    this.#lanes.delete(lane);
    // The report of a delivery arrives a moment after its end.
    const endsAt = performance.now() + REPORT_MS_MAX;
    while (lane.load > 0 && performance.now() < endsAt) await delay(10);
    await lane.stop();
  }
}
