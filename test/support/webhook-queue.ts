import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import type { Test } from 'tap';
import { inTransaction } from '../../engine/database/transaction.js';
import { insertClickEvents } from '../../engine/shipping/rows/sql.js';
import { readClickSubscribers } from '../../engine/shipping/sql.js';
import { growBacklogs } from '../../engine/webhooks/backlog-sql.js';
import type { WebhookDispatcherOptions } from '../../engine/webhooks/dispatcher-options.js';
import { WebhookDispatcher } from '../../engine/webhooks/webhook-dispatcher.js';
import { newId } from '../../shared/base/ids.js';
import { createLogger } from '../../shared/base/log.js';
import { WEBHOOK_CHANNEL } from '../../shared/feed/channel.js';
import { parseSecretKeys, seal, webhookSecretPlace } from '../../shared/secrets/seal.js';
import { buildEvent, type EventRow, eventColumns, sampleEvent } from '../../shared/webhooks/body.js';
import { sampleData } from '../../shared/webhooks/samples.js';
import { createDatabase } from './database.js';
import type { Receiver } from './webhook-receiver.js';

export const SECRETS_KEYS = `k1:${Buffer.alloc(32, 7).toString('base64')}`;
const secretKeys = parseSecretKeys(SECRETS_KEYS);

export interface DeliveryRow {
  readonly id: string;
  readonly webhook_id: string;
  readonly event_id: string;
  readonly event_type: string;
  readonly kind: string;
  readonly attempt: number;
  readonly status: string;
  readonly response_code: number | null;
  readonly response_body: string | null;
  readonly latency_ms: number | null;
  readonly error: string | null;
  readonly next_attempt_at: Date | null;
  readonly due_at: Date | null;
  readonly leased_until: Date | null;
  readonly claim_id: string | null;
  readonly claims: number;
  readonly created_at: Date;
}

export interface Endpoint {
  readonly id: string;
  readonly secret: string;
}

/** The options that go to another process, as JSON. */
type ProcessOptions = Omit<WebhookDispatcherOptions, 'log' | 'random' | 'threadModule'>;

export interface EndpointChanges {
  readonly events?: readonly string[];
  readonly previousSecret?: string;
  readonly previousExpiresAt?: Date;
}

type DispatcherChanges = Partial<WebhookDispatcherOptions> & Pick<WebhookDispatcherOptions, 'outboundAllow'>;

/** Starts a dispatcher on the queue of a database. It is stopped at the end of the test. */
export async function startDispatcher(t: Test, databaseUrl: string, options: DispatcherChanges): Promise<WebhookDispatcher> {
  const dispatcher = new WebhookDispatcher({
    databaseUrl,
    queueDatabaseUrl: '',
    secretsKeys: SECRETS_KEYS,
    serviceName: 'Service',
    webhookRetryDelays: [60],
    webhookThreads: 1,
    log: createLogger('test', 'silent'),
    // On a busy machine, an attempt that its receiver answers at once must not fail.
    attemptTimeoutMs: 8000,
    ...options,
  });
  await dispatcher.start();
  t.teardown(() => dispatcher.stop());
  return dispatcher;
}

/** An environment of a database, and what a test can do to its webhook queue. */
export class WebhookQueue {
  readonly url: string;
  readonly pool: pg.Pool;
  readonly environmentId = newId('environment');

  private constructor(url: string, pool: pg.Pool) {
    this.url = url;
    this.pool = pool;
  }

  /** Creates the queue in a database of its own. */
  static async create(t: Test): Promise<WebhookQueue> {
    const database = await createDatabase();
    t.teardown(() => database.drop());
    return WebhookQueue.at(t, database.url);
  }

  /** Creates the queue in an existing database. */
  static async at(t: Test, url: string): Promise<WebhookQueue> {
    const pool = new pg.Pool({ connectionString: url, max: 4 });
    // Tests end connections on purpose.
    pool.on('error', () => {});
    t.teardown(() => pool.end());
    const queue = new WebhookQueue(url, pool);
    await queue.#makeEnvironment();
    return queue;
  }

  /** Creates another environment in the same database. Endpoints of one environment do not get what is emitted in the other. */
  async another(): Promise<WebhookQueue> {
    const queue = new WebhookQueue(this.url, this.pool);
    await queue.#makeEnvironment();
    return queue;
  }

  async #makeEnvironment(): Promise<void> {
    const [project, host] = [newId('project'), `${this.environmentId.replace('_', '-')}.example.com`];
    await this.pool.query("INSERT INTO projects (id, name, time_zone) VALUES ($1, 'Test', 'UTC')", [project]);
    await this.pool.query("INSERT INTO environments (id, project_id, name, link_host, open_host) VALUES ($1, $2, 'live', $3, $4)", [
      this.environmentId,
      project,
      host,
      `open.${host}`,
    ]);
  }

  /** Empties the queue of all environments, so that the next case begins as in a database of its own. No dispatcher may be at work. */
  async clear(): Promise<void> {
    await this.pool.query(
      'DELETE FROM webhook_endpoints; DELETE FROM webhook_deliveries; DELETE FROM webhook_backlogs; DELETE FROM events',
    );
  }

  /** Adds an endpoint at a path of a receiver, which from now on trusts its secret there. */
  async subscribe(receiver: Receiver, path: string, changes: EndpointChanges = {}): Promise<Endpoint> {
    const endpoint = await this.addEndpoint(`${receiver.origin}${path}`, changes);
    receiver.trust(endpoint.secret, path);
    return endpoint;
  }

  async addEndpoint(url: string, changes: EndpointChanges = {}): Promise<Endpoint> {
    const id = newId('webhook');
    const secret = `whsec_${randomBytes(24).toString('base64url')}`;
    const place = webhookSecretPlace(id);
    await this.pool.query(
      `INSERT INTO webhook_endpoints (id, environment_id, url, events, secret, previous_secret, previous_secret_expires_at, created_at, updated_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, now(), now())`,
      [
        id,
        this.environmentId,
        url,
        changes.events ?? ['link.created'],
        seal(secretKeys, place, secret),
        changes.previousSecret === undefined ? null : seal(secretKeys, place, changes.previousSecret),
        changes.previousExpiresAt ?? null,
      ],
    );
    return { id, secret };
  }

  /** Emits events with `insert_events`, like anyone who changes an object. With `atMs` they are due then, not now. */
  async emit(count = 1, atMs?: number, connection: pg.Pool | pg.PoolClient = this.pool): Promise<readonly EventRow[]> {
    const createdAtMs = atMs ?? Date.now();
    const origin = { environment_id: this.environmentId, environment: 'live', at_ms: createdAtMs } as const;
    const data = sampleData('link.created', 'live', createdAtMs) as Parameters<typeof buildEvent<'link.created'>>[2];
    const events = Array.from({ length: count }, () => buildEvent(origin, 'link.created', data));
    await connection.query('SELECT insert_events($1, $2, $3, $4, $5)', eventColumns(events));
    if (atMs !== undefined) {
      const ids = events.map((event) => event.id);
      await connection.query('UPDATE webhook_deliveries SET due_at = $2 WHERE event_id = ANY ($1)', [ids, new Date(atMs)]);
    }
    return events;
  }

  /** Notifies that something is due, as a control plane does once for everything that was committed within a few milliseconds. */
  async notify(): Promise<void> {
    await this.pool.query("SELECT pg_notify($1, '{}')", [WEBHOOK_CHANNEL]);
  }

  /** Emits clicks to every subscribed endpoint, as the shipper of clicks does. */
  async emitClicks(count: number, atMs = Date.now()): Promise<void> {
    const origin = { environment_id: this.environmentId, environment: 'live', at_ms: atMs } as const;
    const data = sampleData('click.created', 'live', atMs) as Parameters<typeof buildEvent<'click.created'>>[2];
    const events = Array.from({ length: count }, (_, number) => ({ row: buildEvent(origin, 'click.created', data), number }));
    await inTransaction(this.pool, async (client) => {
      const { rows } = await client.query<{ number: number }>('SELECT number FROM environments');
      const all = await readClickSubscribers(
        client,
        rows.map(({ number }) => number),
      );
      const subscribers = all.filter(({ webhook_id }) => webhook_id !== null);
      const queued = await insertClickEvents(
        client,
        events,
        subscribers.map(({ webhook_id }) => ({ webhook_id: webhook_id as string, room: count })),
      );
      await growBacklogs(
        client,
        [...queued].map(([webhook_id, queued]) => ({ webhook_id, queued, dropped: 0 })),
      );
    });
    const ids = events.map(({ row }) => row.id);
    await this.pool.query('UPDATE webhook_deliveries SET due_at = $2 WHERE event_id = ANY ($1)', [ids, new Date(atMs)]);
  }

  async backlog(webhookId: string): Promise<{ queued: number; dropped: number; dropped_at: Date | null } | undefined> {
    const { rows } = await this.pool.query(
      'SELECT queued::integer, dropped::integer, dropped_at FROM webhook_backlogs WHERE webhook_id = $1',
      [webhookId],
    );
    return rows[0];
  }

  /** Queues what the operations replay and test queue: one row, one attempt. */
  async queueSingle(webhookId: string, kind: 'replay' | 'test', atMs = Date.now()): Promise<string> {
    const event = sampleEvent({ environment_id: this.environmentId, environment: 'live', at_ms: atMs }, 'link.created');
    await this.pool.query('INSERT INTO events (id, created_at, environment_id, type, body) VALUES ($1, $2, $3, $4, $5)', [
      event.id,
      new Date(atMs),
      this.environmentId,
      event.type,
      event.body,
    ]);
    const id = newId('delivery');
    await this.pool.query(
      `INSERT INTO webhook_deliveries (id, created_at, webhook_id, environment_id, event_id, event_type, kind, attempt, status, due_at)
       VALUES ($1, $2, $3, $4, $5, 'link.created', $6, 1, 'pending', $2)`,
      [id, new Date(atMs), webhookId, this.environmentId, event.id, kind],
    );
    return id;
  }

  async deliveries(webhookId: string): Promise<readonly DeliveryRow[]> {
    const { rows } = await this.pool.query<DeliveryRow>(
      `SELECT id, webhook_id, event_id, event_type, kind, attempt, status, response_code, response_body, latency_ms, error, next_attempt_at, due_at, leased_until, claim_id, claims, created_at
       FROM webhook_deliveries WHERE webhook_id = $1 ORDER BY attempt, created_at, id`,
      [webhookId],
    );
    return rows;
  }

  async endpoint(
    webhookId: string,
  ): Promise<{ status: string; failing_since: Date | null; disabled_at: Date | null; disabled_reason: string | null }> {
    const { rows } = await this.pool.query(
      'SELECT status, failing_since, disabled_at, disabled_reason FROM webhook_endpoints WHERE id = $1',
      [webhookId],
    );
    return rows[0];
  }

  /** Starts a dispatcher on this queue, which is stopped at the end of the test. */
  start(t: Test, options: DispatcherChanges): Promise<WebhookDispatcher> {
    return startDispatcher(t, this.url, options);
  }

  /**
   * Starts a dispatcher in a process of its own, which a test may kill or stop, and which ends with the test. Its
   * host's clock may differ from ours.
   */
  async startProcess(
    t: Test,
    options: Partial<ProcessOptions> & Pick<ProcessOptions, 'outboundAllow'>,
    clockShiftMs = 0,
  ): Promise<ChildProcess> {
    const all: ProcessOptions = {
      databaseUrl: this.url,
      queueDatabaseUrl: '',
      secretsKeys: SECRETS_KEYS,
      serviceName: 'Service',
      webhookRetryDelays: [1],
      webhookThreads: 2,
      ...options,
    };
    const shiftedClock = new URL('../fixtures/shifted-clock.js', import.meta.url).href;
    const child = fork(fileURLToPath(new URL('webhook-process.js', import.meta.url)), [JSON.stringify(all)], {
      execArgv: [...process.execArgv, '--import', shiftedClock],
      env: { ...process.env, CLOCK_SHIFT_MS: String(clockShiftMs) },
    });
    t.teardown(() => child.kill('SIGKILL'));
    await once(child, 'message');
    return child;
  }
}
