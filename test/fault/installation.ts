import type { Test } from 'tap';
import { migrate } from '../../control-plane/db/migrate.js';
import { spoolFolder } from '../../engine/settings.js';
import { readDroppedClicks } from '../../engine/spool/drop-counters.js';
import { type ControlPlaneOptions, startControlPlane, type TestControlPlane } from '../support/control-plane.js';
import { type EngineOptions, startEngine, type TestEngine } from '../support/engine.js';
import { freePort } from '../support/free-port.js';
import { Ledger } from '../support/ledger.js';
import { startLedgerClient } from '../support/ledger-client.js';
import { type PgBouncer, startPgBouncer } from '../support/pgbouncer.js';
import { type PostgresPair, startPostgresPair } from '../support/postgres-pair.js';
import { startApiProxy } from '../support/proxies.js';
import { createCountedLink, type Stack, startStack, untilReplicated } from '../support/stack.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';
import { type Receiver, startReceiver } from '../support/webhook-receiver.js';
import { checkLinks, settingsFor, startMakers, subscribe } from './link-makers.js';
import { checkFigures, randomFrom } from './random-kills.js';
import { checkCounts, sleep } from './scenarios.js';

export interface InstallationKills {
  /** Determines the order of the kills, and the time between them. */
  readonly seed: number;
  readonly seconds: number;
}

const HOSTS = 3;
const PAUSE_MS_MAX = 4_000;
/** The longest pause between two failovers, with both servers running. */
const CALM_MS_MAX = 20_000;
const START_MS_MAX = 60_000;
/** No call takes longer than a failover and the recovery of what waits for it. */
const CALL_MS_MAX = 60_000;

interface Installation {
  readonly stack: Stack;
  readonly engines: { readonly options: EngineOptions; engine: TestEngine }[];
  readonly controlPlanes: { readonly options: ControlPlaneOptions; controlPlane: TestControlPlane }[];
  readonly pair: PostgresPair;
  readonly pool: PgBouncer;
}

/**
 * A whole installation on one machine: three engine hosts, two control planes behind HAProxy, and a pair of PostgreSQL servers
 * behind HAProxy and PgBouncer. Everything is killed with -9 again and again under load, in random order, whether or not what
 * died before is back. Then every answered redirect is in the click log once, the figures agree with the log, every acknowledged
 * link redirects on every host, and its event was delivered.
 */
export async function installationKilled(t: Test, { seed, seconds }: InstallationKills): Promise<void> {
  t.comment(`seed ${seed}`);
  const random = randomFrom(seed);
  const pair = await startPostgresPair(t, { synchronous: true });
  await migrate(pair.url);
  const pool = await startPgBouncer(t, pair.url);
  const receiver = await startReceiver(t, (response) => response.writeHead(200).end());
  const installation = await startInstallation(t, pair, pool, receiver);
  const { stack, engines, controlPlanes } = installation;
  await subscribe(stack, receiver);
  const link = await createCountedLink(stack);
  await untilReplicated(stack);
  const ports = controlPlanes.map(({ controlPlane }) => ({
    port: Number(new URL(controlPlane.baseUrl).port),
    adminPort: controlPlane.adminPort,
  }));
  const apiPort = await startApiProxy(t, ports);
  const ledger = new Ledger();
  const visit = { host: stack.project.linkHost, path: `/${link.path}`, ledger, connections: 4, restMs: 5 };
  const clients = engines.map(({ engine }) => startLedgerClient({ ...visit, port: engine.port }));
  const makers = startMakers(`http://127.0.0.1:${apiPort}/v1`, stack.project);
  t.teardown(() => Promise.all([...clients, makers].map((client) => client.stop())));
  const deadline = performance.now() + seconds * 1000;
  const [kills, lost] = await Promise.all([killParts(installation, random, deadline), loseServers(pair, random, deadline)]);
  t.comment(`${kills} kills and ${lost} failovers in ${seconds} s`);
  await pair.whole();
  for (const { engine } of engines) await engine.whenReady();
  const made = await makers.stop();
  for (const client of clients) await client.stop();
  t.same(made.wrong, [], 'every answer of a control plane is 201, 409 or 503');
  t.ok(made.longestMs < CALL_MS_MAX, `the longest call took ${Math.round(made.longestMs)} ms; ${made.broken} broke`);
  for (const { options } of engines) t.strictSame(readDroppedClicks(spoolFolder(options.dataDir)), { bound: 0, disk: 0 });
  await checkCounts(t, stack, ledger);
  await checkFigures(t, stack, link);
  await checkLinks(t, stack, { receiver, made, engines: engines.map(({ engine }) => engine), heldUp: [] });
}

async function startInstallation(t: Test, pair: PostgresPair, pool: PgBouncer, receiver: Receiver): Promise<Installation> {
  const environment = { DATABASE_POOL_URL: pool.url, ...settingsFor(receiver) };
  // Fixed ports, so that they are the same after a death.
  const ofEngine = async () => ({ ...environment, ENGINE_PORT: String(await freePort()) });
  const ofControlPlane = async () => ({
    ...environment,
    CONTROL_PLANE_PORT: String(await freePort()),
    CONTROL_PLANE_ADMIN_PORT: String(await freePort()),
  });
  const stack = await startStack(t, {
    databaseUrl: pair.url,
    processes: 1,
    environment: { ...(await ofEngine()), ...(await ofControlPlane()) },
  });
  const engines = [{ options: stack.engineOptions, engine: stack.engine }];
  while (engines.length < HOSTS) {
    const options = { databaseUrl: pair.url, dataDir: temporaryFolder(t), processes: 1, environment: await ofEngine() };
    engines.push({ options, engine: await startEngine(options) });
  }
  const options = { databaseUrl: pair.url, dir: temporaryFolder(t), environment: await ofControlPlane() };
  const controlPlanes = [
    { options: stack.controlPlaneOptions, controlPlane: stack.controlPlane },
    { options, controlPlane: await startControlPlane(options) },
  ];
  t.teardown(async () => {
    for (const { engine } of engines) await engine.stop();
    for (const { controlPlane } of controlPlanes) await controlPlane.kill();
  });
  for (const { engine } of engines) await engine.whenReady();
  return { stack, engines, controlPlanes, pair, pool };
}

/** Kills parts until the deadline. Returns the number of kills. */
async function killParts(installation: Installation, random: () => number, deadline: number): Promise<number> {
  const victims = victimsOf(installation);
  let kills = 0;
  while (performance.now() < deadline) {
    await victims[Math.floor(random() * victims.length)]?.();
    kills++;
    await sleep(random() * PAUSE_MS_MAX);
  }
  return kills;
}

type Kill = () => Promise<unknown>;

function victimsOf({ stack, engines, controlPlanes, pair, pool }: Installation): readonly Kill[] {
  return [
    ...engines.flatMap((host, index): Kill[] => [
      () => host.engine.killProcess('redirect-0'),
      () => host.engine.killProcess('background'),
      async () => {
        await host.engine.kill();
        host.engine = await startEngine(host.options);
        if (index === 0) stack.engine = host.engine;
      },
    ]),
    ...controlPlanes.map(
      (each, index): Kill =>
        async () => {
          await each.controlPlane.kill();
          // Restarted as by systemd: while PostgreSQL is away, it ends by itself and is started again.
          each.controlPlane = await until(() => startControlPlane(each.options).catch(() => null), 'the control plane', START_MS_MAX);
          if (index === 0) stack.controlPlane = each.controlPlane;
        },
    ),
    () => pool.kill(),
    () => pair.killProxy(),
  ];
}

/** Loses the primary again and again until the deadline, with its host or alone. Returns the number of losses. */
async function loseServers(pair: PostgresPair, random: () => number, deadline: number): Promise<number> {
  let lost = 0;
  while (performance.now() < deadline) {
    await pair.whole();
    await pair.failOver(random() < 0.5 ? 'crash' : 'host');
    lost++;
    await sleep(random() * CALM_MS_MAX);
  }
  return lost;
}
