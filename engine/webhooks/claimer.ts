import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import type { Clock } from '../../shared/base/clock.js';
import type { Logger } from '../../shared/base/log.js';
import { type SecretKeys, unseal, webhookSecretPlace } from '../../shared/secrets/seal.js';
import { type ClaimedDelivery, claimDeliveries } from '../sql/claim-deliveries.js';
import { type EndpointTarget, endpointTargets } from '../sql/endpoint-targets.js';
import { eventBodies } from '../sql/event-bodies.js';
import { type QueuedEndpoint, queuedEndpoints } from '../sql/queued-endpoints.js';
import type { EndpointSlots, Grant } from './endpoint-slots.js';

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
  readonly secrets: readonly string[];
  /** null where the event is no longer stored. */
  readonly body: string | null;
}

export interface ClaimPass {
  readonly work: readonly ClaimedWork[];
  /** Endpoints with something queued that are not active, or no longer there: work for the janitor. */
  readonly inactiveIds: readonly string[];
  readonly deletedIds: readonly string[];
  /** When the earliest row that is not due yet will be; null where there is none. */
  readonly nextDueAtMs: number | null;
  /** How long the earliest due row has been due; 0 where none is. */
  readonly lagMs: number;
  readonly backlog: Backlog;
}

/** What is still due after a pass: nothing known of, something that can be claimed at once, or something that waits for a slot. */
export type Backlog = 'none' | 'claimable' | 'waits_for_slots';

interface Target {
  readonly url: string;
  readonly secrets: readonly string[];
}

/**
 * Takes due work out of the queue. The claim is committed before this returns, so that nothing is sent inside a
 * transaction, and it holds for `leaseMs`: a process that dies loses nothing, its rows are due again when the lease ends.
 */
export class Claimer {
  readonly #options: ClaimerOptions;

  constructor(options: ClaimerOptions) {
    this.#options = options;
  }

  async claim(): Promise<ClaimPass> {
    const { pool, slots, clock } = this.#options;
    const queued = await queuedEndpoints(pool);
    slots.keepOnly(new Set(queued.map((endpoint) => endpoint.webhook_id)));
    const nowMs = clock();
    const due = queued.filter((endpoint) => endpoint.status !== null && endpoint.due_at.getTime() <= nowMs);
    const grant = slots.grant(due.map((endpoint) => endpoint.webhook_id));
    const claimId = randomUUID();
    const leaseEndsAtMs = nowMs + this.#options.leaseMs;
    const claimed =
      grant.webhookIds.length === 0
        ? []
        : await claimDeliveries(pool, { ...grant, claimId, now: new Date(nowMs), leaseEndsAt: new Date(leaseEndsAtMs) });
    const work = await this.#equip(claimed, claimId, leaseEndsAtMs);
    return { work, ...this.#outlook(queued, nowMs), backlog: this.#backlog(due, grant, claimed) };
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
    const usable = this.#openTargets(targets);
    const work: ClaimedWork[] = [];
    for (const delivery of claimed) {
      const target = usable.get(delivery.webhook_id);
      // Deleted since, or its secret does not open: the row is left, to be dropped or to be due again when its lease ends.
      if (target === undefined) continue;
      slots.taken(delivery.webhook_id);
      work.push({ delivery, claimId, leaseEndsAtMs, ...target, body: bodies.get(delivery.event_id) ?? null });
    }
    return work;
  }

  #openTargets(targets: readonly EndpointTarget[]): ReadonlyMap<string, Target> {
    const usable = new Map<string, Target>();
    for (const target of targets) {
      try {
        usable.set(target.id, { url: target.url, secrets: this.#secrets(target) });
      } catch (error) {
        // SECRETS_KEYS lacks the key, or the row was altered: the operator's to repair, and no other endpoint's fault.
        this.#options.logger.error({ err: error, webhook_id: target.id }, 'the signing secret of a webhook endpoint cannot be opened');
      }
    }
    return usable;
  }

  /** The newest first; the one before it signs too until its 24 hours are over. */
  #secrets(target: EndpointTarget): readonly string[] {
    const { secretKeys, clock } = this.#options;
    const place = webhookSecretPlace(target.id);
    const secrets = [unseal(secretKeys, place, target.secret)];
    const previousHolds = (target.previous_secret_expires_at?.getTime() ?? 0) > clock();
    if (target.previous_secret !== null && previousHolds) secrets.push(unseal(secretKeys, place, target.previous_secret));
    return secrets;
  }

  #outlook(queued: readonly QueuedEndpoint[], nowMs: number): Omit<ClaimPass, 'work' | 'backlog'> {
    let nextDueAtMs: number | null = null;
    let lagMs = 0;
    for (const { due_at, status } of queued) {
      const dueAtMs = due_at.getTime();
      if (dueAtMs > nowMs) nextDueAtMs = Math.min(nextDueAtMs ?? dueAtMs, dueAtMs);
      else if (status === 'active') lagMs = Math.max(lagMs, nowMs - dueAtMs);
    }
    return {
      inactiveIds: queued.filter(({ status }) => status !== null && status !== 'active').map(({ webhook_id }) => webhook_id),
      deletedIds: queued.filter(({ status }) => status === null).map(({ webhook_id }) => webhook_id),
      nextDueAtMs,
      lagMs,
    };
  }
}
