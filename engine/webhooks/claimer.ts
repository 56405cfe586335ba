import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import type { Clock } from '../../shared/base/clock.js';
import type { Logger } from '../../shared/base/log.js';
import type { SecretKeys } from '../../shared/secrets/seal.js';
import { type ClaimedDelivery, claimDeliveries } from '../sql/claim-deliveries.js';
import { dueEndpoints, type QueuedEndpoint } from '../sql/due-endpoints.js';
import { endpointTargets } from '../sql/endpoint-targets.js';
import { eventBodies } from '../sql/event-bodies.js';
import type { EndpointSlots, Grant } from './endpoint-slots.js';
import { SearchFloors } from './search-floors.js';
import { SigningSecrets } from './signing-secrets.js';

export interface ClaimerOptions {
  readonly pool: Pool;
  readonly slots: EndpointSlots;
  readonly secretKeys: SecretKeys;
  readonly clock: Clock;
  readonly leaseMs: number;
  readonly logger: Logger;
}

/** A claimed row with all it takes to send it. Its slot is held until it is released. */
export interface ClaimedWork {
  readonly delivery: ClaimedDelivery;
  readonly claimId: string;
  readonly leaseEndsAtMs: number;
  readonly url: string;
  /** null where they cannot be opened. */
  readonly secrets: readonly string[] | null;
  /** null where the event is no longer stored. */
  readonly body: string | null;
}

export interface ClaimPass {
  readonly work: readonly ClaimedWork[];
  /** Endpoints with something queued that are not active: work for the janitor. */
  readonly inactiveIds: readonly string[];
  /** When the earliest row that is not due yet will be; null where there is none. */
  readonly nextDueAtMs: number | null;
  /** How long the earliest due row that nobody holds has been due; 0 where there is none. */
  readonly lagMs: number;
  readonly backlog: Backlog;
}

/** What is still due after a pass: nothing known of, something that can be claimed at once, or something that waits for a slot. */
export type Backlog = 'none' | 'claimable' | 'waits_for_slots';

/**
 * Takes due work out of the queue. The claim is committed before this returns, so that nothing is sent inside a
 * transaction, and it holds for `leaseMs`: a process that dies loses nothing, its rows may be claimed anew when the lease
 * has ended.
 */
export class Claimer {
  readonly #options: ClaimerOptions;
  readonly #floors = new SearchFloors();
  readonly #secrets: SigningSecrets;

  constructor(options: ClaimerOptions) {
    this.#options = options;
    this.#secrets = new SigningSecrets(options);
  }

  /** Endpoints whose signing secret could not be opened when it was last tried. */
  get unreadableSecrets(): readonly string[] {
    return this.#secrets.unreadable;
  }

  async claim(): Promise<ClaimPass> {
    const { pool, slots, clock, leaseMs } = this.#options;
    const nowMs = clock();
    const { floors } = this.#floors;
    const look = await dueEndpoints(pool, floors, new Date(nowMs));
    const { queued } = look;
    slots.keepOnly(new Set(queued.map((endpoint) => endpoint.webhook_id)));
    const due = queued.filter((endpoint) => endpoint.due_at.getTime() <= nowMs);
    const grant = slots.grant(due.map((endpoint) => endpoint.webhook_id));
    const claimId = randomUUID();
    const leaseEndsAtMs = nowMs + leaseMs;
    const since = grant.webhookIds.map((id) => this.#floors.of(id));
    const claimed =
      grant.webhookIds.length === 0
        ? []
        : await claimDeliveries(pool, { ...grant, since, claimId, now: new Date(nowMs), leaseEndsAt: new Date(leaseEndsAtMs) });
    // Only now: what a claim that failed would have taken is still where it was.
    this.#floors.raise(floors, look);
    const work = await this.#equip(claimed, claimId, leaseEndsAtMs);
    return { work, ...outlook(queued, nowMs), backlog: this.#backlog(due, grant, claimed) };
  }

  /** Looks at every queue whole; answers whether there is something to claim that the floors would have hidden. */
  async lookWhole(): Promise<boolean> {
    const { pool, clock } = this.#options;
    await this.#secrets.recheck(pool);
    return this.#floors.lowerTo(await dueEndpoints(pool, { common: null, lower: new Map() }, new Date(clock())));
  }

  /** An endpoint that used up what it was granted, or was granted nothing, may have more. Slots may have come free meanwhile. */
  #backlog(due: readonly QueuedEndpoint[], grant: Grant, claimed: readonly ClaimedDelivery[]): Backlog {
    const left = new Map(grant.webhookIds.map((id, index) => [id, grant.slots[index] as number]));
    for (const { webhook_id } of claimed) left.set(webhook_id, (left.get(webhook_id) ?? 0) - 1);
    const wanting = due.filter(({ webhook_id }) => (left.get(webhook_id) ?? 0) <= 0);
    if (wanting.length === 0) return 'none';
    return wanting.every(({ webhook_id }) => this.#options.slots.isFull(webhook_id)) ? 'waits_for_slots' : 'claimable';
  }

  /** Gives claimed rows what it takes to send them. Their slots are taken here; where this fails, none is. */
  async #equip(claimed: readonly ClaimedDelivery[], claimId: string, leaseEndsAtMs: number): Promise<readonly ClaimedWork[]> {
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
      // Deleted since: its log goes too.
      if (target === undefined) continue;
      slots.taken(delivery.webhook_id);
      work.push({ delivery, claimId, leaseEndsAtMs, ...target, body: bodies.get(delivery.event_id) ?? null });
    }
    return work;
  }
}

function outlook(queued: readonly QueuedEndpoint[], nowMs: number): Omit<ClaimPass, 'work' | 'backlog'> {
  let nextDueAtMs: number | null = null;
  let lagMs = 0;
  for (const { due_at, status } of queued) {
    const dueAtMs = due_at.getTime();
    if (dueAtMs > nowMs) nextDueAtMs = Math.min(nextDueAtMs ?? dueAtMs, dueAtMs);
    else if (status === 'active') lagMs = Math.max(lagMs, nowMs - dueAtMs);
  }
  return { inactiveIds: queued.filter(({ status }) => status !== 'active').map(({ webhook_id }) => webhook_id), nextDueAtMs, lagMs };
}
