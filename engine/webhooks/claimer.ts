import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { monotonicClock } from '../../shared/base/clock.js';
import type { Logger } from '../../shared/base/log.js';
import type { SecretKeys } from '../../shared/secrets/seal.js';
import type { EndpointSlots, Grant, SlotKey } from './endpoint-slots.js';
import { LowWaterMarks } from './low-water-marks.js';
import { type QueuedEndpoint, queueOf, readQueuedFrom, scanQueues } from './queue-scan.js';
import { receivingHost } from './receiving-host.js';
import { SigningSecrets } from './signing-secrets.js';
import { type ClaimedDelivery, type ClaimedQueue, claimDeliveries, endpointTargets, eventBodies } from './sql.js';
import { type UnknownClaim, uncountClaims, uncountUnknownClaim } from './uncount-sql.js';

export interface ClaimerOptions {
  readonly pool: Pool;
  readonly slots: EndpointSlots;
  readonly secretKeys: SecretKeys;
  readonly leaseMs: number;
  readonly log: Logger;
}

/** A claimed row with everything that is needed to send it. Its slot is taken until it is released. */
export interface ClaimedWork {
  readonly delivery: ClaimedDelivery;
  readonly claimId: string;
  /** By the monotonic clock of the process; a little earlier than the end of the database's lease. */
  readonly leaseEndsAtMs: number;
  readonly url: string;
  /** The slot that it holds. */
  readonly slot: SlotKey;
  /** null if they cannot be decrypted. */
  readonly secrets: readonly string[] | null;
  /** null if the event is no longer stored. */
  readonly body: string | null;
}

export interface ClaimPass {
  readonly work: readonly ClaimedWork[];
  /** Endpoints that have queued rows but are not active, or were disabled since: work for the janitor. */
  readonly inactiveIds: readonly string[];
  /** How long until the earliest row that is not due yet becomes due, in milliseconds; null if there is none. */
  readonly nextDueInMs: number | null;
  /** How long the oldest due row without a lease has been due, in milliseconds; 0 if there is none. */
  readonly lagMs: number;
  readonly backlog: Backlog;
}

/** What is still due after a pass: nothing known, something that can be claimed immediately, or something that waits for a slot. */
export type Backlog = 'none' | 'claimable' | 'waits_for_slots';

/** A claim that was sent to the database, but whose rows have not been passed on yet. */
interface OpenClaim extends UnknownClaim {
  /** null while it is unknown which rows it took. */
  readonly claimed: readonly ClaimedDelivery[] | null;
}

/**
 * Claims due rows of the queue. The claim is committed before this returns, so that nothing is sent inside a transaction. It
 * lasts for `leaseMs`: if the process dies, its rows can be claimed again when the lease has ended. Only the database's clock
 * decides what is due and when a lease ends. If the statement of a claim fails, nothing is sent for it and it must not count as
 * an attempt: before the next claim the database is asked to undo it.
 *
 * An endpoint that was disabled and is active again is claimed once the janitor has abandoned what was at the head of its queue:
 * 25 to 50 ms for each 2,000 rows. A claim that passed over 100,000 such rows took 40 to 70 ms each time, and all endpoints waited
 * for it.
 */
export class Claimer {
  readonly #options: ClaimerOptions;
  readonly #marks = new LowWaterMarks();
  readonly #secrets: SigningSecrets;
  /** The result of `readQueuedFrom` before the last full scan; null before the first one. */
  #queuedFrom: string | null = null;
  #open: OpenClaim | null = null;

  constructor(options: ClaimerOptions) {
    this.#options = options;
    this.#secrets = new SigningSecrets(options);
  }

  /** Endpoints whose signing secret could not be decrypted at the last attempt. */
  get unreadableSecrets(): readonly string[] {
    return this.#secrets.unreadable;
  }

  async claim(): Promise<ClaimPass> {
    const { pool, slots, leaseMs } = this.#options;
    await this.#uncountOpen();
    const { marks } = this.#marks;
    const scan = await scanQueues(pool, marks, this.#queuedFrom);
    const { queued } = scan;
    slots.keepOnly(new Set(queued.map(queueOf)));
    const due = queued.filter(({ wait_ms, abandoned }) => wait_ms <= 0 && !abandoned).map(slotKey);
    const grant = slots.grant(due);
    const claimId = randomUUID();
    // Taken before the statement is sent, and thus before the lease begins.
    const leaseEndsAtMs = monotonicClock() + leaseMs;
    const queues = this.#claimedQueues(queued, grant);
    if (queues.length > 0) this.#open = { claimId, queues, claimed: null };
    const claimed = this.#open === null ? [] : await claimDeliveries(pool, { queues, claimId, leaseMs });
    if (this.#open !== null) this.#open = { ...this.#open, claimed };
    // Only now, because after a failed claim the rows that it would have taken are still at the same place in the queue.
    this.#marks.raise(marks, scan);
    const work = await this.#hydrate(claimed, claimId, leaseEndsAtMs);
    this.#open = null;
    return { work, ...outlook(queued), backlog: this.#backlog(due, grant, claimed) };
  }

  #claimedQueues(queued: readonly QueuedEndpoint[], { queues, slots }: Grant): readonly ClaimedQueue[] {
    const known = new Map(queued.map((endpoint) => [queueOf(endpoint), endpoint]));
    return queues.map((queue, index) => {
      const { webhook_id, manual } = known.get(queue) as QueuedEndpoint;
      return { webhook_id, manual, slots: slots[index] as number, since: this.#marks.of({ webhook_id, manual }) };
    });
  }

  /** Reverses the count of an earlier claim that was not passed on. If this fails, the next pass tries again before it claims anything. */
  async #uncountOpen(): Promise<void> {
    const open = this.#open;
    if (open === null) return;
    const { pool } = this.#options;
    if (open.claimed === null) await uncountUnknownClaim(pool, open);
    else
      await uncountClaims(
        pool,
        open.claimed.map(({ id, created_at }) => ({ id, created_at, claim_id: open.claimId })),
      );
    this.#open = null;
  }

  /** Scans every queue in full. Returns whether there is something to claim that the low-water marks would have hidden. */
  async scanInFull(): Promise<boolean> {
    const { pool } = this.#options;
    await this.#secrets.recheck(pool);
    this.#queuedFrom = await readQueuedFrom(pool);
    return this.#marks.lowerTo(await scanQueues(pool, { common: null, lower: new Map() }));
  }

  /** A queue that used up its grant, or was granted nothing, may have more rows. Slots may have become free meanwhile. */
  #backlog(due: readonly SlotKey[], grant: Grant, claimed: readonly ClaimedDelivery[]): Backlog {
    const left = new Map(grant.queues.map((queue, index) => [queue, grant.slots[index] as number]));
    for (const delivery of claimed) {
      const queue = queueOf({ webhook_id: delivery.webhook_id, manual: isManual(delivery) });
      left.set(queue, (left.get(queue) ?? 0) - 1);
    }
    const wanting = due.filter(({ queue }) => (left.get(queue) ?? 0) <= 0);
    if (wanting.length === 0) return 'none';
    return wanting.every((key) => this.#options.slots.isFull(key)) ? 'waits_for_slots' : 'claimable';
  }

  /** Adds to claimed rows what is needed to send them, and takes their slots. If it fails, no slot is taken. */
  async #hydrate(claimed: readonly ClaimedDelivery[], claimId: string, leaseEndsAtMs: number): Promise<readonly ClaimedWork[]> {
    if (claimed.length === 0) return [];
    const { pool, slots } = this.#options;
    const [targets, bodies] = await Promise.all([
      endpointTargets(pool, [...new Set(claimed.map((delivery) => delivery.webhook_id))]),
      eventBodies(pool, [...new Set(claimed.map((delivery) => delivery.event_id))]),
    ]);
    const usable = new Map(targets.map((target) => [target.id, { url: target.url, secrets: this.#secrets.open(target) }]));
    const work: ClaimedWork[] = [];
    for (const delivery of claimed) {
      const target = usable.get(delivery.webhook_id);
      // The endpoint was deleted since, and its log is deleted too.
      if (target === undefined) continue;
      const slot = slotKey({ webhook_id: delivery.webhook_id, manual: isManual(delivery), url: target.url });
      slots.taken(slot);
      work.push({ delivery, claimId, leaseEndsAtMs, slot, ...target, body: bodies.get(delivery.event_id) ?? null });
    }
    return work;
  }
}

function outlook(queued: readonly QueuedEndpoint[]): Omit<ClaimPass, 'work' | 'backlog'> {
  let nextDueInMs: number | null = null;
  let lagMs = 0;
  for (const { wait_ms, status, abandoned } of queued) {
    if (wait_ms > 0) nextDueInMs = Math.min(nextDueInMs ?? wait_ms, wait_ms);
    else if (status === 'active' && !abandoned) lagMs = Math.max(lagMs, -wait_ms);
  }
  const inactive = queued.filter(({ status, manual, abandoned }) => (status !== 'active' && !manual) || abandoned);
  return { inactiveIds: inactive.map(({ webhook_id }) => webhook_id), nextDueInMs, lagMs };
}

function isManual({ kind }: ClaimedDelivery): boolean {
  return kind !== 'automatic';
}

function slotKey(queue: Pick<QueuedEndpoint, 'webhook_id' | 'manual' | 'url'>): SlotKey {
  return { queue: queueOf(queue), host: receivingHost(queue.url) };
}
