import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type pg from 'pg';
import { unmatchableNetworks } from '../shared/attribution/unmatchable-networks.js';
import { monotonicClock, systemClock } from '../shared/base/clock.js';
import { BACKGROUND_CONNECTIONS, controlPlaneConnections, QUEUE_CONNECTIONS } from '../shared/base/database-connections.js';
import { DRAIN_DEADLINE_MS } from '../shared/base/limits.js';
import type { Logger } from '../shared/base/log.js';
import { packageVersion } from '../shared/base/package-version.js';
import type { PageServer } from '../shared/base/page-server.js';
import type { PartHealth } from '../shared/base/part-health.js';
import { SHARED_VIEW_TRIES_OF_MINUTE, SHARED_VIEWS_PER_MINUTE } from '../shared/base/view-limits.js';
import { within } from '../shared/base/within.js';
import { OutboundClient } from '../shared/net/bounded-request.js';
import { deriveClickIdKeys } from '../shared/secrets/click-id-keys.js';
import { isHostProof } from '../shared/secrets/host-proof.js';
import { parseSecretKeys } from '../shared/secrets/seal.js';
import { createAnnounce } from './announce.js';
import { buildApp } from './app.js';
import { ColumnThreads } from './click-figures/columns/column-threads.js';
import { CountingThread } from './click-figures/counting/counting-thread.js';
import { ClickStreams } from './click-stream/click-streams.js';
import { createDatabase, createPool } from './db/database.js';
import { migrate } from './db/migrate.js';
import { createHostLookup } from './domains/host-lookup.js';
import { createHostProbe } from './domains/host-probe.js';
import { createTxtLookup } from './domains/txt-lookup.js';
import { Assigner } from './feed/assigner.js';
import { FeedFollowers } from './feed/feed-followers.js';
import {
  clickHouseStatements,
  readClickHouseFigures,
  registerClickHouseMetrics,
  registerPendingBatchMetrics,
} from './health/clickhouse-metrics.js';
import { registerDatabaseMetrics } from './health/database-metrics.js';
import { wholeInstallation } from './health/installation.js';
import { registerInstallationMetrics } from './health/installation-metrics.js';
import { registerJobMetrics } from './health/job-metrics.js';
import { createReadiness, type Phase } from './health/readiness.js';
import { readDatabaseFigures, readPendingBatches } from './health/sql.js';
import { startAdminServer } from './http/admin.js';
import { Authenticator } from './http/authenticate.js';
import { ConnectionShares } from './http/connection-shares.js';
import { type ApiMetrics, createApiMetrics } from './http/metrics.js';
import { RateLimiter } from './http/rate-limit.js';
import { createJobs } from './jobs/jobs.js';
import { createKeyUsesJob } from './jobs/key-uses.js';
import { createPresence } from './jobs/presence.js';
import { LargeCalls } from './large-calls/large-calls.js';
import { openClickStore } from './open-click-store.js';
import { createOperations } from './operations.js';
import { Peers } from './peers/peers.js';
import { QrThread } from './qr/qr-thread.js';
import { type ControlPlaneSettings, controlPlaneSettings, retentionOf } from './settings.js';
import { createDueNotifier } from './webhooks/due-notifier.js';

export interface ControlPlane {
  /** Port of the REST API. */
  readonly port: number;
  /** Port of health and metrics. */
  readonly adminPort: number;
  /** Completes running requests, answers new ones with 503, and stops. Takes at most 12 s, whatever clients do. */
  stop(): Promise<void>;
}

/**
 * Starts the control plane in this process. PostgreSQL may start later; until then, requests get 503. Health is served from the start,
 * because a migration may take longer than a process manager waits for the port. With `requests`, it does no periodic work, because another
 * process may have to do it with other settings, for example for retention.
 */
export async function startControlPlane(
  settings: ControlPlaneSettings,
  log: Logger,
  work: 'all' | 'requests' = 'all',
): Promise<ControlPlane> {
  const metrics = createApiMetrics();
  const parts = createParts(settings, log, metrics);
  const phase: Phase = { listening: false, draining: false };
  const ready = createReadiness(parts, phase);
  const app = createApp(settings, log, { parts, phase, ready, metrics });
  let admin: PageServer | undefined;
  try {
    const installation = async () => wholeInstallation(parts.background, await ready(), systemClock());
    const onFailure = (err: unknown) => log.warn({ code: 'metric_unreadable', err }, 'a metric could not be read');
    registerInstallationMetrics(metrics.registry, { read: installation, onFailure });
    registerDatabaseMetrics(metrics.registry, { read: () => readDatabaseFigures(parts.background), onFailure });
    registerJobMetrics(metrics.registry, [...parts.jobs, parts.keyUses]);
    const { clickHouse } = parts.clicks;
    if (clickHouse !== null) {
      registerClickHouseMetrics(metrics.registry, { read: () => readClickHouseFigures(clickHouse), onFailure });
      registerPendingBatchMetrics(metrics.registry, { read: () => readPendingBatches(parts.background), onFailure });
    }
    const { adminHost, adminPort, host, port } = settings;
    admin = await namingPort(
      `${controlPlaneSettings.adminPort.name} ${adminPort} on ${adminHost}`,
      startAdminServer({ ready, installation, metrics: metrics.registry }, adminHost, adminPort),
    );
    if (settings.migrateAtStart) {
      await migrate(settings.databaseUrl, { log: (line) => log.debug({ code: 'migration_step' }, line) });
      // ClickHouse may be away, and most calls need no click.
      parts.clicks.prepareSoon((err) => log.warn({ code: 'click_tables_missing', err }, 'the tables of clicks could not be created'));
    }
    parts.assigner.start();
    parts.keyUses.start();
    if (work === 'all') for (const job of parts.jobs) job.start();
    await namingPort(`${controlPlaneSettings.port.name} ${port} on ${host}`, app.listen({ port, host }));
    phase.listening = true;
  } catch (error) {
    await Promise.all([within(DRAIN_DEADLINE_MS, endParts(parts, Promise.resolve())), admin?.stop()]);
    throw error;
  }
  return {
    port: (app.server.address() as AddressInfo).port,
    adminPort: admin.port,
    async stop() {
      phase.draining = true;
      phase.listening = false;
      await within(DRAIN_DEADLINE_MS, endParts(parts, Promise.all([parts.clickStreams.stop(), drain(app)])));
      await admin.stop();
    },
  };
}

/** Names the setting, the port and the address in the error of a port that cannot be opened. */
async function namingPort<T>(port: string, opening: Promise<T>): Promise<T> {
  try {
    return await opening;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw Object.assign(new Error(`${port} cannot be used: ${code}`, { cause: error }), { code });
  }
}

/** The parts that work beside the requests, or for them, and that have to be stopped. */
function createParts(settings: ControlPlaneSettings, log: Logger, metrics: ApiMetrics) {
  const pools = createPools(settings, log);
  const background = createDatabase(pools.background);
  const queue = pools.queue === null ? null : createDatabase(pools.queue);
  const dueNotifier = createDueNotifier(queue, log);
  const assigner = new Assigner({ pool: pools.background, log });
  const linkUrlForm = { scheme: settings.linkScheme, port: settings.linkPort };
  const lookUpTxt = createTxtLookup(settings.domainDnsServers);
  const secretKeys = parseSecretKeys(settings.secretsKeys);
  const retention = retentionOf(settings);
  const pooledUrl = settings.databasePoolUrl || settings.databaseUrl;
  const onStatement = settings.clickStore === 'clickhouse' ? clickHouseStatements(metrics.registry) : undefined;
  const threads = new ColumnThreads(log);
  const { clickStore, ...clicks } = openClickStore(settings, { application: 'control-plane', onStatement, threads });
  const counting = new CountingThread({ databaseUrl: settings.databaseUrl, clickRetentionDays: retention.clicks }, log);
  const jobs = createJobs({
    database: background,
    clickStore,
    counting,
    log,
    clock: systemClock,
    retention,
    linkUrlForm,
    lookUpTxt,
    feedChanged: () => assigner.poke(),
    deliveriesQueued: () => dueNotifier.poke(),
  });
  const peers = new Peers(randomUUID(), monotonicClock);
  const connections = controlPlaneConnections(settings.databaseConnections, settings.databasePoolUrl !== '');
  const presence = createPresence({ database: background, peers, connections, log, clock: systemClock });
  const database = createDatabase(pools.api);
  const share = () => peers.share;
  const keyUses = createKeyUsesJob({ database: background, log, clock: systemClock });
  const authenticator = new Authenticator(database, monotonicClock, share, keyUses.note);
  const announce = createAnnounce({ assigner, dueNotifier, authenticator, followers: new FeedFollowers(database, log) });
  return {
    pools,
    database,
    background,
    queue,
    clickStore,
    clicks,
    clickStreams: new ClickStreams({ database, clickStore, log, monotonicMs: monotonicClock, onCount: metrics.observeClickStreams }),
    dueNotifier,
    assigner,
    counting,
    jobs: [...jobs, presence],
    keyUses,
    authenticator,
    announce,
    share,
    retention,
    linkUrlForm,
    lookUpTxt,
    secretKeys,
    sender: new OutboundClient({ allow: settings.outboundAllow, purpose: 'metadata' }),
    largeCalls: new LargeCalls({ databaseUrl: pooledUrl, secretKeys, linkUrlForm, clock: systemClock, log, announce }),
    qrImages: new QrThread(log),
  };
}

type Parts = ReturnType<typeof createParts>;

/** Stops periodic work while the last requests are answered, then everything that those requests may need. */
async function endParts(parts: Parts, requestsAnswered: Promise<unknown>): Promise<void> {
  const { pools, clicks, assigner, counting, jobs, keyUses, dueNotifier, sender, largeCalls, qrImages } = parts;
  const ofRequests = requestsAnswered.then(() => Promise.all([assigner.stop(), keyUses.stop()]));
  await Promise.all([ofRequests, ...jobs.map((job) => job.stop())]);
  await Promise.all([counting.stop(), dueNotifier.stop(), sender.close(), largeCalls.stop(), qrImages.stop()]);
  await Promise.all([pools.api.end(), pools.background.end(), pools.queue?.end(), clicks.close()]);
}

interface AppSurroundings {
  readonly parts: Parts;
  readonly phase: Phase;
  readonly ready: () => Promise<readonly PartHealth[]>;
  readonly metrics: ReturnType<typeof createApiMetrics>;
}

/** The server of the REST API, which is not listening yet. */
function createApp(settings: ControlPlaneSettings, log: Logger, { parts, phase, ready, metrics }: AppSurroundings): FastifyInstance {
  const { database, queue, secretKeys, linkUrlForm, qrImages, sender, lookUpTxt, largeCalls, authenticator, announce, share } = parts;
  return buildApp({
    database: new ConnectionShares(database, settings.databaseConnections),
    queue: queue === null ? null : new ConnectionShares(queue, QUEUE_CONNECTIONS),
    secretKeys,
    clock: systemClock,
    announce,
    operations: createOperations({
      secretKeys,
      clock: systemClock,
      linkUrlForm,
      qrImages,
      clickStreams: parts.clickStreams,
      clickStore: parts.clickStore,
      outbound: { allow: settings.outboundAllow },
      sender,
      serviceName: settings.serviceName,
      lookUpTxt,
      lookUpHost: createHostLookup(settings.domainDnsServers),
      probeHost: createHostProbe({
        allow: settings.outboundAllow,
        isProof: (text) => isHostProof(deriveClickIdKeys(secretKeys), text, systemClock()),
      }),
      retention: parts.retention,
      isUnmatchable: unmatchableNetworks(settings.relayRanges),
      wait,
      urlOpenLimiter: new RateLimiter(settings.urlOpensPerMinute, systemClock, share),
      sharedViewTryLimiter: new RateLimiter(SHARED_VIEW_TRIES_OF_MINUTE, systemClock, share),
      ready,
    }),
    largeCalls,
    admission: {
      authenticator,
      rateLimiter: new RateLimiter(settings.rateLimitPerMinute, systemClock, share),
      addressRateLimiter: new RateLimiter(settings.addressRateLimitPerMinute, systemClock, share),
      keylessRateLimiter: new RateLimiter(SHARED_VIEWS_PER_MINUTE, systemClock, share),
      proxyTrust: { hops: settings.trustedProxyHops, proxies: settings.trustedProxies },
    },
    metrics,
    log,
    draining: () => phase.draining,
    serviceName: settings.serviceName,
    version: packageVersion(new URL('../../package.json', import.meta.url)),
  });
}

interface Pools {
  readonly api: pg.Pool;
  readonly background: pg.Pool;
  /** Null if the server runs without a job queue. */
  readonly queue: pg.Pool | null;
}

function createPools(settings: ControlPlaneSettings, log: Logger): Pools {
  const onLost = (error: Error) => log.warn({ code: 'database_connection_lost', err: error }, 'a database connection was lost');
  const pool = (url: string, connections: number, name: string) => createPool(url, connections, name, onLost);
  const pooledUrl = settings.databasePoolUrl || settings.databaseUrl;
  return {
    api: pool(pooledUrl, settings.databaseConnections, 'control-plane'),
    background: pool(pooledUrl, BACKGROUND_CONNECTIONS, 'control-plane-background'),
    queue:
      settings.queueDatabaseUrl === 'none' ? null : pool(settings.queueDatabaseUrl || pooledUrl, QUEUE_CONNECTIONS, 'control-plane-queue'),
  };
}

/** The parts that stop after the requests have the rest of the time until the deadline. */
const ANSWERS_MS_MAX = DRAIN_DEADLINE_MS - 3_000;

/** Stops listening, lets running requests end, and closes the remaining connections in time. */
async function drain(app: FastifyInstance): Promise<void> {
  const deadline = setTimeout(() => app.server.closeAllConnections(), ANSWERS_MS_MAX);
  await app.close();
  clearTimeout(deadline);
}
