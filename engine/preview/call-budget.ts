import type { MetadataConfiguration } from '../../shared/metadata/configuration.js';
import { ConcurrencyLimit } from './concurrency-limit.js';
import type { CountedCall, MinuteWindow } from './minute-window.js';

export type Limits = Pick<MetadataConfiguration, 'max_concurrency' | 'max_requests_per_minute'>;

/** Returns this engine's share of a limit. `subject` names what is limited. */
export type ShareOf = (limit: number, subject: string) => number;

/** Returns the engines that have a share of it. */
export type HoldersOf = (limit: number, subject: string) => readonly string[];

/**
 * This engine's share of both limits of a metadata API: concurrent calls and calls per minute. It survives a change of the
 * configuration, because calls made under the previous one still count. `CallQueue` refuses calls that exceed it.
 */
export class CallBudget {
  readonly #apiId: string;
  readonly #window: MinuteWindow;
  readonly #concurrency = new ConcurrencyLimit();
  /** Called when there may be more room. Set by the queue of the actor that currently decides about calls. */
  onRoom: () => void = () => undefined;
  #holders: readonly string[] = [];
  #limits: Limits = { max_concurrency: 0, max_requests_per_minute: 0 };

  constructor(apiId: string, window: MinuteWindow) {
    this.#apiId = apiId;
    this.#window = window;
  }

  setLimits(limits: Limits, shareOf: ShareOf, holdersOf: HoldersOf): void {
    this.#limits = limits;
    this.setShares(shareOf, holdersOf);
  }

  /** Must be called when the membership has changed. */
  setShares(shareOf: ShareOf, holdersOf: HoldersOf): void {
    const { max_concurrency, max_requests_per_minute } = this.#limits;
    this.#concurrency.share = shareOf(max_concurrency, `${this.#apiId}/concurrency`);
    this.#window.share = shareOf(max_requests_per_minute, `${this.#apiId}/minute`);
    // The holders of the lower limit have a share of the other one too.
    this.#holders =
      max_concurrency < max_requests_per_minute
        ? holdersOf(max_concurrency, `${this.#apiId}/concurrency`)
        : holdersOf(max_requests_per_minute, `${this.#apiId}/minute`);
    this.onRoom();
  }

  /** Whether this engine has no share at all, so that other engines make the calls for its items. */
  get isWithoutShare(): boolean {
    return this.#concurrency.share === 0 || this.#window.share === 0;
  }

  /** Engines that may make calls. */
  get holders(): readonly string[] {
    return this.#holders;
  }

  get underWay(): number {
    return this.#concurrency.underWay;
  }

  /**
   * Returns 0 if a call may be made now. Otherwise returns the time after which to ask again, in milliseconds; Infinity if only
   * the end of a call under way, or another share, can make room.
   */
  waitMs(): number {
    const windowMs = this.#window.waitMs();
    return windowMs === 0 && !this.#concurrency.hasRoom() ? Number.POSITIVE_INFINITY : windowMs;
  }

  /** Must be called only if `waitMs` returns 0, before a call that lasts at most `callMsMax`. */
  begin(callMsMax: number): CountedCall {
    this.#concurrency.enter();
    return this.#window.begin(callMsMax);
  }

  end(call: CountedCall): void {
    this.#concurrency.leave();
    this.#window.end(call);
    this.onRoom();
  }

  /** See `MinuteWindow`. */
  clearIfQuiet(): boolean {
    return this.#window.clearIfQuiet();
  }

  /** See `MinuteWindow`. */
  quietMs(): number {
    return this.#window.quietMs();
  }
}
