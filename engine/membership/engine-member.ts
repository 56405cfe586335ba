import { randomUUID } from 'node:crypto';
import type { Clock } from '../../shared/base/clock.js';
import type { RoundLoopStats } from '../database/round-loop.js';
import type { AnswerWriter } from '../store/answer-writer.js';
import { Heartbeat, type HeartbeatOptions } from './heartbeat.js';
import { Membership } from './membership.js';
import { MembershipSnapshot } from './membership-snapshot.js';

export interface EngineMemberOptions extends Omit<HeartbeatOptions, 'membership' | 'onMembership'> {
  /** The store in which the membership is noted for the next process. */
  readonly answers: Pick<AnswerWriter, 'note' | 'notes' | 'thrownAway'>;
  readonly clock: Clock;
  /** Called when shares may have changed. */
  readonly onShares: () => void;
}

/**
 * This engine among those that share one database: its row, and its share of the limits. It continues as the engine that the last
 * process on the host was, with that one's set of engines.
 */
export class EngineMember {
  readonly #onShares: () => void;
  readonly #membership: Membership;
  readonly #snapshot: MembershipSnapshot;
  readonly #heartbeat: Heartbeat;
  readonly #calls: boolean;
  #followed = '';

  constructor(options: EngineMemberOptions) {
    const { answers, clock, onShares, ...rest } = options;
    this.#onShares = onShares;
    this.#snapshot = new MembershipSnapshot(answers, clock);
    this.#calls = options.profile.roles.includes('background');
    const noted = this.#snapshot.read();
    // Under another role the engine is another member: what it did under the previous one counts until its row is gone.
    const continues = noted !== null && noted.calls === this.#calls;
    this.#membership = new Membership(continues ? noted.id : randomUUID(), () => performance.now(), this.#calls);
    if (continues && noted.holds) this.#membership.resume(noted.members);
    this.#heartbeat = new Heartbeat({ ...rest, membership: this.#membership, onMembership: () => this.#follow() });
  }

  start(): void {
    this.#heartbeat.start();
  }

  /** Records that the engine has left, unless its row is handed over. */
  stop(): Promise<void> {
    return this.#heartbeat.stop();
  }

  /** Called before a stop if another process takes over the row. */
  handOver(): void {
    this.#heartbeat.handOver();
  }

  /** Reports at once how far the host has followed the feed, because API calls are waiting for that. */
  acknowledge(): void {
    this.#heartbeat.acknowledge();
  }

  /** The number of engines among which the limits are shared. */
  get engines(): number {
    return this.#membership.members().length;
  }

  /** See `Membership`. */
  share(limit: number, subject: string): number {
    return this.#membership.share(limit, subject);
  }

  /** See `Membership`. */
  holders(limit: number, subject: string): readonly string[] {
    return this.#membership.holders(limit, subject);
  }

  /** See `Membership`. */
  ordered(item: string, members: readonly string[]): readonly string[] {
    return this.#membership.ordered(item, members);
  }

  stats(): RoundLoopStats {
    return this.#heartbeat.stats();
  }

  #follow(): void {
    const { self } = this.#membership;
    const members = this.#membership.members();
    const kind = this.#membership.kind();
    const followed = [kind, ...members].join();
    if (followed !== this.#followed) this.#onShares();
    this.#followed = followed;
    this.#snapshot.write({ id: self, members, calls: this.#calls, acting: kind === 'acting' });
  }
}
