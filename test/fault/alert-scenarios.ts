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
 * The service under a real Prometheus, whose rules are the installation's own with shorter durations
 * (`shortenedRules`). Each fault is provoked, its alerts are waited for, the fault is repaired, and they have to end.
 * `npm test` does so with a few of them, `npm run test:fault` with all.
 */
export interface Watched {
  readonly stack: Stack;
  readonly prometheus: TestPrometheus;
  readonly postgres: OwnPostgres;
  /** The engine's way to PostgreSQL. */
  readonly way: TcpProxy;
  /** The way of engine and control plane to ClickHouse; null where clicks are in PostgreSQL. */
  readonly clickHouseWay: TcpProxy | null;
  /** A customer's server: receiver of webhooks below `/hook`, metadata API elsewhere. `switches` say how it answers. */
  readonly customer: CustomerApi;
  readonly switches: { customer: 'well' | 'fails' | 'hangs' };
  readonly certificates: string;
  /** The engine's; null where none could be mounted. */
  readonly disk: SmallDisk | null;
  readonly link: CreatedLink;
}

export interface Fault {
  readonly what: string;
  /** Those that it raises; others that it raises as well are let pass, as long as they end. */
  readonly alerts: readonly string[];
  /** Returns what ends it. */
  readonly provoke: (watched: Watched) => Promise<() => unknown>;
}

const DISK_BYTES = 640 * 1024 ** 2;
/** What is looked at every second was seen a few times by then. */
const CALM_MS = 2000;

interface WatchedOptions {
  readonly withDisk?: boolean;
  /** The longest duration of the rules as they are loaded. */
  readonly seconds?: number;
  /** Where clicks are stored; in PostgreSQL otherwise. */
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

/** Nothing fires while nothing is wrong. */
export async function calmAtFirst(t: Test, { prometheus }: Watched): Promise<void> {
  // What fired before the first look at the targets ends with the next evaluation.
  await prometheus.untilCalm();
  await sleep(CALM_MS);
  t.same(await prometheus.firing(), [], 'nothing fires while nothing is wrong');
}

/** Each fault on its own, all at once: provoked, seen, repaired whatever comes of it, and over. */
export async function raisesAndClears(t: Test, watched: Watched, faults: readonly Fault[]): Promise<void> {
  const { prometheus } = watched;
  const outcomes = await Promise.allSettled(faults.map((fault) => raiseAndClear(t, watched, fault)));
  for (const outcome of outcomes) if (outcome.status === 'rejected') t.fail(String(outcome.reason));
  // What else they raised ends too: the next fault begins in peace.
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
  t.notMatch(annotations.summary, /<no value>|NaN/, 'its text is complete');
}

/** The slowest are those of changes that lag a minute. */
const FIRES_MS_MAX = 120_000;
const CLEARS_MS_MAX = 120_000;

export function putCertificate(dir: string, days: number): void {
  const { certificate, key } = makeCertificate({ names: ['go.demo.example'], notAfter: new Date(Date.now() + days * 86_400_000) });
  writeFileSync(join(dir, 'demo.pem'), certificate + key);
}

/** Work that goes on in the background of a fault, again and again, until it is ended; what it throws is thrown then. */
export function again(work: () => Promise<unknown>, everyMs: number): () => Promise<void> {
  let ended = false;
  const loop = (async () => {
    while (!ended) {
      await work();
      await sleep(everyMs);
    }
  })();
  // Until then it is nobody's.
  loop.catch(() => {});
  return () => {
    ended = true;
    return loop;
  };
}

/** A session of PostgreSQL as superuser that is held until it is ended. */
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
