import type { BacklogGrowth } from '../webhooks/backlog-sql.js';
import type { ClickFanOut } from './click-fan-out.js';
import type { Attempted, ShipOutcome } from './click-shipper.js';
import type { TrackedSegment } from './segments/tracked-segment.js';

/** How far a segment has got in a batch. */
export interface Step {
  readonly segment: TrackedSegment;
  position: number;
  click_number: number;
  clicks: number;
}

/** One batch: how far each segment has got in it, what became of its clicks, and the endpoints that receive them. */
export class BatchProgress {
  readonly fanOut: ClickFanOut;
  #steps: Step[] = [];
  #stored = 0;
  #refused = 0;

  constructor(fanOut: ClickFanOut) {
    this.fanOut = fanOut;
  }

  get steps(): readonly Step[] {
    return this.#steps;
  }

  get attempted(): Attempted {
    return new Map(this.#steps.map((step) => [step.segment, step.clicks]));
  }

  /** The bytes that were read. */
  get bytes(): number {
    return this.#steps.reduce((sum, { segment: { reader }, position }) => sum + position - reader.position, 0);
  }

  beginStep(segment: TrackedSegment): Step {
    const { reader } = segment;
    const step: Step = { segment, position: reader.position, click_number: reader.click_number, clicks: 0 };
    this.#steps.push(step);
    return step;
  }

  /** Leaves out the segments of which nothing was read. */
  dropUnread(): void {
    this.#steps = this.#steps.filter(({ segment, position }) => position > segment.reader.position);
  }

  /** Counts a click that became a row of the click log. */
  noteStored(): void {
    this.#stored++;
  }

  /** Counts a record that cannot be stored. */
  noteRefused({ segment }: Step): void {
    this.#refused++;
    segment.refused_clicks++;
  }

  /** Called when the batch is stored. */
  committed(): void {
    for (const { segment, position, click_number } of this.#steps) {
      segment.reader.advance(position, click_number);
      segment.refuse_next = false;
      segment.endBisection();
    }
  }

  outcome(kind: ShipOutcome['kind'], growth: readonly BacklogGrowth[] = []): ShipOutcome {
    return { kind, clicks: this.#stored, refused: this.#refused, deliveries: growth.reduce((sum, { queued }) => sum + queued, 0) };
  }
}
