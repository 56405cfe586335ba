import { OUTCOMES, type Outcome } from '../../shared/resolve/follow-link.js';

/** How a request ended: the outcomes of links, and the ends of requests that never reached a link. */
const ENDS = [
  ...OUTCOMES,
  'app_links',
  'robots',
  'brand_logo',
  'health',
  'click_device',
  'host_proof',
  'password_asked',
  'password_wrong',
  'password_throttled',
  'unknown_host',
  'bad_request',
  'body_refused',
  'method_not_allowed',
  'dropped',
  'unavailable',
  'failed',
  'aborted',
] as const;
export type End = Outcome | (typeof ENDS)[number];

const INDEX: { readonly [Key in End]: number } = Object.fromEntries(ENDS.map((end, index) => [end, index])) as { [Key in End]: number };

/**
 * Counts of one redirect process. Counting is a plain store into an array, because it is on the hot path; labels are added only
 * when metrics are collected.
 */
export class VisitFigures {
  readonly #ends = new Float64Array(ENDS.length);
  clicks = 0;
  /** Clicks dropped because the spool was full. */
  clicks_dropped = 0;
  /** Device reports dropped because the spool was full. */
  devices_dropped = 0;
  /** Failed look-ups in the store; the read-through answered instead. */
  store_failures = 0;

  count(end: End): void {
    const index = INDEX[end];
    this.#ends[index] = (this.#ends[index] as number) + 1;
  }

  of(end: End): number {
    return this.#ends[INDEX[end]] as number;
  }

  ends(): Iterable<readonly [End, number]> {
    return ENDS.map((end, index) => [end, this.#ends[index] as number] as const);
  }
}
