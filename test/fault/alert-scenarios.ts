import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import type { Test } from 'tap';
import { makeCertificate } from '../support/certificates.js';
import { type CustomerApi, startCustomerApi } from '../support/customer-api.js';
import { type ActiveAlert, startPrometheus, type TestPrometheus } from '../support/prometheus.js';
import { mountSmallDisk, type SmallDisk } from '../support/small-disk.js';
import { type CreatedLink, createCountedLink, type OwnPostgres, type Stack, startOwnPostgres, startStack } from '../support/stack.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { SMALL_SPOOL_BYTES, sleep } from './scenarios.js';

/**
 * The service under a real Prometheus, which loads the installation's own rules with shorter durations (`shortenedRules`). Each
 * fault is provoked, its alerts are awaited, the fault is repaired, and the alerts have to end. `npm test` does so with some of
 * the faults, `npm run test:fault` with all.
 */
export interface Watched {
  readonly stack: Stack;
  readonly prometheus: TestPrometheus;
  readonly postgres: OwnPostgres;
  /** The proxy between the engine and PostgreSQL. */
  readonly way: TcpProxy;
  /** The proxy between engine, control plane and ClickHouse; null if clicks are in PostgreSQL. */
  readonly clickHouseWay: TcpProxy | null;
  /** A customer's server: it receives webhooks below `/hook`, and is a metadata API elsewhere. `switches` set how it answers. */
  readonly customer: CustomerApi;
  readonly switches: { customer: 'well' | 'fails' | 'hangs' };
  readonly certificates: string;
  /** The engine's disk; null if none could be mounted. */
  readonly disk: SmallDisk | null;
  readonly link: CreatedLink;
}

export interface Fault {
  readonly what: string;
  /** The alerts that it must raise. It may raise others too, as long as they end. */
  readonly alerts: readonly string[];
  /** Provokes the fault. Returns the function that repairs it. */
  readonly provoke: (watched: Watched) => Promise<() => unknown>;
}

const DISK_BYTES = 640 * 1024 ** 2;
/** Long enough for everything that is checked every second to have been checked several times. */
const CALM_MS = 2000;

interface WatchedOptions {
  readonly withDisk?: boolean;
  /** The longest duration of a loaded rule. */
  readonly seconds?: number;
  /** The store of clicks; PostgreSQL by default. */
  readonly clickHouseUrl?: string;
}

export async function startWatched(t: Test, { withDisk = false, seconds = 10, clickHouseUrl }: WatchedOptions = {}): Promise<Watched> {
  const postgres = await startOwnPostgres(t);
  const target = new URL(postgres.url);
  const way = await TcpProxy.to(t, { host: target.hostname, port: Number(target.port) });
  const clickHouseWay =
    clickHouseUrl === undefined ? null : await TcpProxy.to(t, { host: '127.0.0.1', port: Number(new URL(clickHouseUrl).port) });
  const engineUrl = new URL(postgres.url);
  engineUrl.port = String(way.port);
  const switches: Watched['switches'] = { customer: 'well' };
  const customer = await startCustomerApi(t, (path, response) => {
    if (switches.customer === 'hangs') return;
    response.statusCode = switches.customer === 'well' ? 200 : 500;
    response.end(JSON.stringify({ name: path.slice(1) }));
  });
  const certificates = join(temporaryFolder(t), 'certificates');
  mkdirSync(certificates);
  putCertificate(certificates, 365);
  const disk = withDisk ? mountSmallDisk(t, DISK_BYTES) : null;
  const stack = await startStack(t, {
    processes: 1,
    databaseUrl: postgres.url,
    engineDatabaseUrl: engineUrl.href,
    ...(disk === null ? {} : { dataDir: disk.dir }),
    environment: {
      OUTBOUND_ALLOW: customer.origin,
      TLS_CERTIFICATES_DIR: certificates,
      WEBHOOK_RETRY_DELAYS: '1,1,1,1,1,1,1',
      SPOOL_BYTES_MAX: String(SMALL_SPOOL_BYTES),
      ...(clickHouseWay === null ? {} : { CLICK_STORE: 'clickhouse', CLICKHOUSE_URL: `http://127.0.0.1:${clickHouseWay.port}` }),
    },
  });
  const link = await createCountedLink(stack);
  const ports = { engine: stack.engine.adminPort, controlPlane: stack.controlPlane.adminPort };
  const prometheus = await startPrometheus(t, ports, seconds);
  return { stack, prometheus, postgres, way, clickHouseWay, customer, switches, certificates, disk, link };
}

/** Checks that nothing fires while nothing is wrong. */
export async function calmAtFirst(t: Test, { prometheus }: Watched): Promise<void> {
  // Alerts that fired before the first scrape of the targets end with the next evaluation.
  await prometheus.untilCalm();
  await sleep(CALM_MS);
  t.same(await prometheus.firing(), [], 'no alert fires before the first fault');
}

/** Provokes all of the faults at once. Each must raise its alerts, is repaired whatever happens, and must clear. */
export async function raisesAndClears(t: Test, watched: Watched, faults: readonly Fault[]): Promise<void> {
  const { prometheus } = watched;
  const outcomes = await Promise.allSettled(faults.map((fault) => raiseAndClear(t, watched, fault)));
  for (const outcome of outcomes) if (outcome.status === 'rejected') t.fail(String(outcome.reason));
  // Waits for other alerts that the faults raised, so that the next fault begins with none.
  await prometheus.untilCalm(CLEARS_MS_MAX);
}

async function raiseAndClear(t: Test, watched: Watched, { what, alerts, provoke }: Fault): Promise<void> {
  const { prometheus } = watched;
  const beganAt = performance.now();
  const seconds = () => `${((performance.now() - beganAt) / 1000).toFixed(0)} s`;
  const repair = await provoke(watched);
  try {
    await Promise.all(
      alerts.map(async (alert) => {
        noteFired(t, await prometheus.untilFires(alert, FIRES_MS_MAX));
        t.comment(`${what}: ${alert} after ${seconds()}`);
      }),
    );
  } finally {
    await repair();
  }
  await Promise.all(alerts.map((alert) => prometheus.untilClears(alert, CLEARS_MS_MAX)));
  t.comment(`${what}: over after ${seconds()}`);
}

function noteFired(t: Test, { labels, annotations }: ActiveAlert): void {
  t.pass(`${labels.alertname} fired: ${annotations.summary}`);
  t.notMatch(annotations.summary, /<no value>|NaN/, 'the summary of the alert has its values');
}

/** The slowest alerts are those for changes that lag for a minute. */
const FIRES_MS_MAX = 120_000;
const CLEARS_MS_MAX = 120_000;

export function putCertificate(dir: string, days: number): void {
  const { certificate, key } = makeCertificate({ names: ['go.demo.example'], notAfter: new Date(Date.now() + days * 86_400_000) });
  writeFileSync(join(dir, 'demo.pem'), certificate + key);
}

/** Repeats work in the background of a fault. The returned function ends it, and rejects if the work has failed. */
export function again(work: () => Promise<unknown>, everyMs: number): () => Promise<void> {
  let ended = false;
  const loop = (async () => {
    while (!ended) {
      await work();
      await sleep(everyMs);
    }
  })();
  // Nobody handles the rejection until the end is asked for.
  loop.catch(() => {});
  return () => {
    ended = true;
    return loop;
  };
}

/** Opens a PostgreSQL session as superuser. It stays open until the returned function is called. */
export async function holdSession(
  postgres: OwnPostgres,
  databaseUrl: string,
  ...statements: readonly string[]
): Promise<() => Promise<void>> {
  const url = new URL(postgres.superuserUrl);
  url.pathname = new URL(databaseUrl).pathname;
  const client = new pg.Client({ connectionString: url.href });
  client.on('error', () => {});
  await client.connect();
  for (const statement of statements) await client.query(statement);
  return () => client.end();
}
