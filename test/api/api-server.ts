import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { pino } from 'pino';
import type { Test } from 'tap';
import { buildApp } from '../../control-plane/app.js';
import type { ClickStore } from '../../control-plane/click-store/click-store.js';
import { postgresClicks } from '../../control-plane/click-store/postgres-store.js';
import { ClickStreams } from '../../control-plane/click-stream/click-streams.js';
import { createDatabase as createDatabaseOf, createPool, type Database } from '../../control-plane/db/database.js';
import type { HostLookup } from '../../control-plane/domains/host-lookup.js';
import { createHostProbe } from '../../control-plane/domains/host-probe.js';
import type { TxtLookup } from '../../control-plane/domains/txt-lookup.js';
import { untilFollowed } from '../../control-plane/feed/until-followed.js';
import { Authenticator } from '../../control-plane/http/authenticate.js';
import { createApiMetrics } from '../../control-plane/http/metrics.js';
import { RateLimiter } from '../../control-plane/http/rate-limit.js';
import { KeyUses } from '../../control-plane/keys/key-uses.js';
import { type CreatedKey, createKey } from '../../control-plane/keys/keys.js';
import { LargeCalls } from '../../control-plane/large-calls/large-calls.js';
import { createOperations } from '../../control-plane/operations.js';
import { createProject, type EnvironmentRow } from '../../control-plane/projects/projects.js';
import { QrThread } from '../../control-plane/qr/qr-thread.js';
import { createDueNotifier } from '../../control-plane/webhooks/due-notifier.js';
import { unmatchableNetworks } from '../../shared/attribution/unmatchable-networks.js';
import type { PartHealth } from '../../shared/base/part-health.js';
import type { Scope } from '../../shared/contract/schemas/scopes.js';
import { OutboundClient } from '../../shared/net/bounded-request.js';
import type { Resolver } from '../../shared/net/resolver.js';
import { deriveClickIdKeys } from '../../shared/secrets/click-id-keys.js';
import { isHostProof } from '../../shared/secrets/host-proof.js';
import type { SecretKeys } from '../../shared/secrets/seal.js';
import { createDatabase } from '../support/database.js';
import { checkStoredEvents } from '../support/event-bodies.js';

export const TEST_SECRET_KEYS: SecretKeys = { current: 'k1', keys: new Map([['k1', randomBytes(32)]]) };

/** An API over real HTTP and a database of its own, with a project and a key of every scope in each environment. */
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
  /** Lines of the log. */
  readonly logLines: string[];
  readonly pokes: () => number;
  /** Writes when keys were last used, as its job does every minute. */
  writeKeyUses(): Promise<void>;
  drain(): void;
  /** Ends the thread of large calls, whatever it is at. The next such call starts another one. */
  endLargeCalls(): Promise<void>;
  /** How long a request may take to come, and its head, where `requestTimeoutMs` says nothing else. */
  readonly requestTimeoutsMs: readonly number[];
  makeKey(environment: 'test' | 'live', scopes: readonly Scope[] | 'publishable'): Promise<CreatedKey>;
  /** The same server with another project, which sees nothing of the first. It costs a tenth of a server. */
  anotherProject(): Promise<ApiServer>;
}

export interface ApiServerOptions {
  readonly rateLimitPerMinute?: number;
  readonly addressRateLimitPerMinute?: number;
  readonly keylessRateLimitPerMinute?: number;
  readonly urlOpensPerMinute?: number;
  /** In place of the 30 s that a request may take to come. */
  readonly requestTimeoutMs?: number;
  /** Client addresses are then taken from X-Forwarded-For. */
  readonly trustedProxyHops?: number;
  /** How opens of apps wait for their click. */
  readonly wait?: (milliseconds: number) => Promise<void>;
  readonly queue?: 'none' | string;
  /** The database of another server, or a way to it. */
  readonly databaseUrl?: string;
  /** The same database, where `databaseUrl` may be cut off. */
  readonly setupDatabaseUrl?: string;
  readonly clock?: () => number;
  /** By which streams age. */
  readonly monotonicMs?: () => number;
  readonly resolver?: Resolver;
  readonly lookUpTxt?: TxtLookup;
  readonly lookUpHost?: HostLookup;
  /** Certificates to trust where a host is called. */
  readonly hostCa?: string;
  readonly outboundAllow?: readonly string[];
  readonly secretKeys?: SecretKeys;
  /** What the process says of its own parts; if it is absent, all is well. */
  readonly ready?: () => Promise<readonly PartHealth[]>;
  /** In place of PostgreSQL. */
  readonly clickStore?: ClickStore;
}

/** Every name is public, none is asked for. */
const publicNames: Resolver = async () => ['93.184.216.34'];

export async function startApiServer(t: Test, options: ApiServerOptions = {}): Promise<ApiServer> {
  const own = options.databaseUrl === undefined ? await createDatabase() : null;
  const url = options.databaseUrl ?? (own as { url: string }).url;
  const clock = options.clock ?? Date.now;
  const pool = createPool(url, 8, 'api-test', () => {});
  const setupPool = createPool(options.setupDatabaseUrl ?? url, 2, 'api-test-setup', () => {});
  const queuePool = createPool(options.queue ?? url, 2, 'api-test-queue', () => {});
  const database = createDatabaseOf(pool);
  const queue = options.queue === 'none' ? null : createDatabaseOf(queuePool);
  const setup = createDatabaseOf(setupPool);
  const secretKeys = options.secretKeys ?? TEST_SECRET_KEYS;
  const outbound = { allow: options.outboundAllow ?? [], resolver: options.resolver ?? publicNames };
  // Names that are not allowed origins have no address here: nothing but loopback is ever called.
  const sender = new OutboundClient({ allow: outbound.allow, publicResolver: async () => [] });
  let pokes = 0;
  const changeFollowed = () => {
    pokes++;
    return untilFollowed(database);
  };
  let draining = false;
  const logLines: string[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void logLines.push(line) });
  const dueNotifier = createDueNotifier(queue, log);
  const largeCalls = new LargeCalls({
    databaseUrl: url,
    secretKeys,
    linkUrlForm: { scheme: 'https', port: 0 },
    clock,
    log,
    feedChanged: () => pokes++,
    changeFollowed,
  });
  const qrImages = new QrThread(log);
  const keyUses = new KeyUses(clock);
  const authenticator = new Authenticator(database, undefined, undefined, keyUses.note);
  const clickStreams = new ClickStreams({
    database,
    clickStore: postgresClicks,
    log,
    monotonicMs: options.monotonicMs ?? (() => performance.now()),
  });
  const app = buildApp({
    database,
    queue,
    secretKeys,
    clock,
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
      clickRetentionDays: 90,
      eventRetentionDays: 90,
      installRetentionDays: 1095,
      isUnmatchable: unmatchableNetworks(),
      wait: options.wait ?? wait,
      urlOpenLimiter: new RateLimiter(options.urlOpensPerMinute ?? 0, clock),
      serviceName: 'Service',
      ready: options.ready ?? (async () => [{ part: 'database', ok: true, reason: '' }]),
      feedChanged: () => pokes++,
      environmentChanged: (environmentId) => authenticator.forgetEnvironment(environmentId),
      changeFollowed,
      deliveriesQueued: () => dueNotifier.poke(),
    }),
    largeCalls,
    admission: {
      authenticator,
      rateLimiter: new RateLimiter(options.rateLimitPerMinute ?? 0, clock),
      addressRateLimiter: new RateLimiter(options.addressRateLimitPerMinute ?? 0, clock),
      keylessRateLimiter: new RateLimiter(options.keylessRateLimitPerMinute ?? 0, clock),
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
    // Whatever a test had emitted, by whichever operation.
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
  // Two servers of one database have a project each.
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
