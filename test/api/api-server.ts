import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { pino } from 'pino';
import type { Test } from 'tap';
import { createAnnounce } from '../../control-plane/announce.js';
import { buildApp } from '../../control-plane/app.js';
import type { ClickStore } from '../../control-plane/click-store/click-store.js';
import { postgresClicks } from '../../control-plane/click-store/postgres-store.js';
import { ClickStreams } from '../../control-plane/click-stream/click-streams.js';
import { createDatabase as createDatabaseOf, createPool, type Database } from '../../control-plane/db/database.js';
import type { HostLookup } from '../../control-plane/domains/host-lookup.js';
import { createHostProbe } from '../../control-plane/domains/host-probe.js';
import type { TxtLookup } from '../../control-plane/domains/txt-lookup.js';
import { FeedFollowers } from '../../control-plane/feed/feed-followers.js';
import { Authenticator } from '../../control-plane/http/authenticate.js';
import { ConnectionShares } from '../../control-plane/http/connection-shares.js';
import { createApiMetrics } from '../../control-plane/http/metrics.js';
import { RateLimiter } from '../../control-plane/http/rate-limit.js';
import { KeyUses } from '../../control-plane/keys/key-uses.js';
import { type CreatedKey, createKey } from '../../control-plane/keys/keys.js';
import { LargeCalls } from '../../control-plane/large-calls/large-calls.js';
import { createOperations } from '../../control-plane/operations.js';
import type { Share } from '../../control-plane/peers/peers.js';
import { createProject, type EnvironmentRow } from '../../control-plane/projects/projects.js';
import { QrThread } from '../../control-plane/qr/qr-thread.js';
import { createDueNotifier } from '../../control-plane/webhooks/due-notifier.js';
import { unmatchableNetworks } from '../../shared/attribution/unmatchable-networks.js';
import type { PartHealth } from '../../shared/base/part-health.js';
import { SHARED_VIEW_TRIES_OF_MINUTE } from '../../shared/base/view-limits.js';
import type { Scope } from '../../shared/contract/schemas/scopes.js';
import { OutboundClient } from '../../shared/net/bounded-request.js';
import type { Resolver } from '../../shared/net/resolver.js';
import { deriveClickIdKeys } from '../../shared/secrets/click-id-keys.js';
import { isHostProof } from '../../shared/secrets/host-proof.js';
import type { SecretKeys } from '../../shared/secrets/seal.js';
import { createDatabase } from '../support/database.js';
import { checkStoredEvents } from '../support/event-bodies.js';

export const TEST_SECRET_KEYS: SecretKeys = { current: 'k1', keys: new Map([['k1', randomBytes(32)]]) };

const CONNECTIONS = 8;
const QUEUE_CONNECTIONS = 2;

/** An API over real HTTP with a database of its own, which has a project and, in each environment, a key with every scope. */
export interface ApiServer {
  readonly baseUrl: string;
  readonly port: number;
  readonly database: Database;
  readonly databaseUrl: string;
  readonly live: EnvironmentRow;
  readonly test: EnvironmentRow;
  readonly liveKey: string;
  readonly testKey: string;
  /** Publishable keys. */
  readonly liveAppKey: string;
  readonly testAppKey: string;
  /** The lines that were logged. */
  readonly logLines: string[];
  readonly pokes: () => number;
  /** Writes the times of the last uses of keys, as the job does every minute. */
  writeKeyUses(): Promise<void>;
  drain(): void;
  /** Ends the thread of large calls, whatever it is doing. The next such call starts another one. */
  endLargeCalls(): Promise<void>;
  /** The default timeouts for receiving a whole request and its head. `requestTimeoutMs` overrides both. */
  readonly requestTimeoutsMs: readonly number[];
  makeKey(environment: 'test' | 'live', scopes: readonly Scope[] | 'publishable'): Promise<CreatedKey>;
  /** The same server with another project, which sees nothing of the first. This costs a tenth of a new server. */
  anotherProject(): Promise<ApiServer>;
}

export interface ApiServerOptions {
  readonly rateLimitPerMinute?: number;
  readonly addressRateLimitPerMinute?: number;
  readonly keylessRateLimitPerMinute?: number;
  readonly urlOpensPerMinute?: number;
  /** Replaces the 30 s within which a request must be received. */
  readonly requestTimeoutMs?: number;
  /** If set, client addresses are taken from X-Forwarded-For. */
  readonly trustedProxyHops?: number;
  /** Replaces the waits of app opens for their click. */
  readonly wait?: (milliseconds: number) => Promise<void>;
  readonly queue?: 'none' | string;
  /** The database of another server, possibly through a proxy. */
  readonly databaseUrl?: string;
  /** A direct way to the same database, if `databaseUrl` may be cut off. */
  readonly setupDatabaseUrl?: string;
  readonly clock?: () => number;
  /** The clock for the age of streams. */
  readonly monotonicMs?: () => number;
  readonly resolver?: Resolver;
  readonly lookUpTxt?: TxtLookup;
  readonly lookUpHost?: HostLookup;
  /** Certificates to trust when calling a host. */
  readonly hostCa?: string;
  readonly outboundAllow?: readonly string[];
  readonly secretKeys?: SecretKeys;
  /** The state of the process's own parts. By default, all of them work. */
  readonly ready?: () => Promise<readonly PartHealth[]>;
  /** The part of each limit that this server may count, as one of several control planes. */
  readonly share?: () => Share;
  /** Replaces PostgreSQL as the store of clicks. */
  readonly clickStore?: ClickStore;
}

/** Resolves every name to a public address, without a query. */
const publicNames: Resolver = async () => ['93.184.216.34'];

export async function startApiServer(t: Test, options: ApiServerOptions = {}): Promise<ApiServer> {
  const own = options.databaseUrl === undefined ? await createDatabase() : null;
  const url = options.databaseUrl ?? (own as { url: string }).url;
  const clock = options.clock ?? Date.now;
  const pool = createPool(url, CONNECTIONS, 'api-test', () => {});
  const setupPool = createPool(options.setupDatabaseUrl ?? url, 2, 'api-test-setup', () => {});
  const queuePool = createPool(options.queue ?? url, QUEUE_CONNECTIONS, 'api-test-queue', () => {});
  const database = createDatabaseOf(pool);
  const queue = options.queue === 'none' ? null : createDatabaseOf(queuePool);
  const setup = createDatabaseOf(setupPool);
  const secretKeys = options.secretKeys ?? TEST_SECRET_KEYS;
  const outbound = { allow: options.outboundAllow ?? [], resolver: options.resolver ?? publicNames };
  // Only allowed origins have an address here, so that nothing but loopback is ever called.
  const sender = new OutboundClient({ allow: outbound.allow, publicResolver: async () => [] });
  const limiter = (perMinute = 0) => new RateLimiter(perMinute, clock, options.share);
  let pokes = 0;
  let draining = false;
  const logLines: string[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void logLines.push(line) });
  const dueNotifier = createDueNotifier(queue, log);
  const keyUses = new KeyUses(clock);
  const authenticator = new Authenticator(database, undefined, options.share, keyUses.note);
  const announce = createAnnounce({
    assigner: { poke: () => void pokes++ },
    dueNotifier,
    authenticator,
    followers: new FeedFollowers(database, log),
  });
  const largeCalls = new LargeCalls({
    databaseUrl: url,
    secretKeys,
    linkUrlForm: { scheme: 'https', port: 0 },
    clock,
    log,
    announce,
  });
  const qrImages = new QrThread(log);
  const clickStreams = new ClickStreams({
    database,
    clickStore: postgresClicks,
    log,
    monotonicMs: options.monotonicMs ?? (() => performance.now()),
  });
  const app = buildApp({
    database: new ConnectionShares(database, CONNECTIONS),
    queue: queue === null ? null : new ConnectionShares(queue, QUEUE_CONNECTIONS),
    secretKeys,
    clock,
    announce,
    operations: createOperations({
      secretKeys,
      clock,
      linkUrlForm: { scheme: 'https', port: 0 },
      qrImages,
      clickStreams,
      clickStore: options.clickStore ?? postgresClicks,
      outbound,
      sender,
      lookUpTxt: options.lookUpTxt ?? (async () => ({ kind: 'none' })),
      lookUpHost: options.lookUpHost ?? (async () => ({ kind: 'none' })),
      probeHost: createHostProbe({
        allow: outbound.allow,
        isProof: (text) => isHostProof(deriveClickIdKeys(secretKeys), text, clock()),
        ...(options.hostCa === undefined ? {} : { ca: options.hostCa }),
      }),
      retention: { clicks: 90, events: 90, installs: 1095 },
      isUnmatchable: unmatchableNetworks(),
      wait: options.wait ?? wait,
      urlOpenLimiter: limiter(options.urlOpensPerMinute),
      sharedViewTryLimiter: limiter(SHARED_VIEW_TRIES_OF_MINUTE),
      serviceName: 'Service',
      ready: options.ready ?? (async () => [{ part: 'database', ok: true, reason: '' }]),
    }),
    largeCalls,
    admission: {
      authenticator,
      rateLimiter: limiter(options.rateLimitPerMinute),
      addressRateLimiter: limiter(options.addressRateLimitPerMinute),
      keylessRateLimiter: limiter(options.keylessRateLimitPerMinute),
      proxyTrust: { hops: options.trustedProxyHops ?? 0, proxies: null },
    },
    metrics: createApiMetrics(),
    log,
    draining: () => draining,
    serviceName: 'Service',
    version: '0.0.0',
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { requestTimeout, headersTimeout } = app.server;
  if (options.requestTimeoutMs !== undefined) {
    app.server.requestTimeout = options.requestTimeoutMs;
    app.server.headersTimeout = options.requestTimeoutMs;
  }
  t.teardown(async () => {
    // Checks everything that the test emitted, by whichever operation.
    if (own !== null) await checkStoredEvents(setupPool);
    await clickStreams.stop();
    app.server.closeAllConnections();
    await app.close();
    await Promise.all([dueNotifier.stop(), largeCalls.stop(), qrImages.stop()]);
    await Promise.all([pool.end(), setupPool.end(), queuePool.end(), sender.close()]);
    await own?.drop();
  });
  const { port } = app.server.address() as AddressInfo;
  const server: SharedServer = {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    port,
    database: setup,
    databaseUrl: url,
    logLines,
    pokes: () => pokes,
    writeKeyUses: () => keyUses.write(database),
    drain: () => {
      draining = true;
    },
    endLargeCalls: () => largeCalls.stop(),
    requestTimeoutsMs: [requestTimeout, headersTimeout],
  };
  // Servers that share a database have a project each.
  return withProject(server, own === null ? randomHost() : 'example.com');
}

type SharedServer = Omit<ApiServer, 'live' | 'test' | 'liveKey' | 'testKey' | 'liveAppKey' | 'testAppKey' | 'makeKey' | 'anotherProject'>;

const randomHost = () => `${randomBytes(4).toString('hex')}.example.com`;

async function withProject(server: SharedServer, host: string): Promise<ApiServer> {
  const hosts = { test: { linkHost: `test.${host}` }, live: { linkHost: `go.${host}` } };
  const { environments } = await createProject(server.database, { name: 'Demo', timeZone: 'Europe/Berlin', hosts }, Date.now());
  const makeKey: ApiServer['makeKey'] = (environment, scopes) => {
    const environmentId = environments[environment].id;
    const wanted = scopes === 'publishable' ? { kind: 'publishable' as const } : { kind: 'secret' as const, scopes };
    return createKey(server.database, { environmentId, environment, name: 'key', ...wanted }, Date.now());
  };
  const all = ['links:read', 'links:write', 'analytics:read', 'webhooks:write'] as const;
  return {
    ...server,
    live: environments.live,
    test: environments.test,
    liveKey: (await makeKey('live', all)).key,
    testKey: (await makeKey('test', all)).key,
    liveAppKey: (await makeKey('live', 'publishable')).key,
    testAppKey: (await makeKey('test', 'publishable')).key,
    makeKey,
    anotherProject: () => withProject(server, randomHost()),
  };
}
