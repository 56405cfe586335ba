import type { Test } from 'tap';
import { spoolFolder } from '../../engine/settings.js';
import { readDroppedClicks } from '../../engine/spool/drop-counters.js';
import { clickHouseLog, openClickHouse } from '../support/clickhouse.js';
import { startControlPlane } from '../support/control-plane.js';
import { startEngine } from '../support/engine.js';
import { freePort } from '../support/free-port.js';
import { Ledger } from '../support/ledger.js';
import { type CreatedLink, createCountedLink, type Stack, startOwnPostgres, startStack } from '../support/stack.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import { until } from '../support/until.js';
import { randomFrom } from './random-kills.js';
import { checkCounts, load, sleep } from './scenarios.js';

export interface ClickHouseKills {
  /** Determines the order of the kills, and the time between them. */
  readonly seed: number;
  /** Kills go on until this many redirects are answered and everything has been killed once. */
  readonly clicks: number;
  readonly pauseMsMax: number;
  readonly connections: number;
  /** The pause of each connection after each answer; 0 is full rate. */
  readonly restMs: number;
}

/** Insertions are retried for some time, so that a call answered with 503 succeeds again soon after. */
const ANSWERED_AGAIN_MS_MAX = 60_000;

/**
 * Clicks go into ClickHouse under load, while the connection to it is cut, and `background`, the supervisor, the control plane
 * and PostgreSQL are killed with -9, in random order. Then every answered redirect is stored once, and the statistics have the
 * same number.
 */
export async function clickHouseKills(t: Test, { seed, clicks, pauseMsMax, ...rate }: ClickHouseKills): Promise<void> {
  t.comment(`seed ${seed}`);
  const store = await openClickHouse(t);
  if (store === null) return;
  const random = randomFrom(seed);
  const proxy = await TcpProxy.to(t, { host: '127.0.0.1', port: Number(new URL(store.url).port) });
  const postgres = await startOwnPostgres(t);
  const stack = await startStack(t, {
    databaseUrl: postgres.url,
    clickLog: clickHouseLog(store),
    environment: {
      // A fixed port, so that it is the same after the supervisor's death.
      ENGINE_PORT: String(await freePort()),
      CLICK_STORE: 'clickhouse',
      CLICKHOUSE_URL: `http://127.0.0.1:${proxy.port}`,
    },
  });
  const link = await createCountedLink(stack);
  const ledger = new Ledger();
  const client = load(stack, link, { ledger, ...rate });
  await whileAway(t, { stack, link, proxy, ledger });
  const victims: readonly (() => Promise<unknown>)[] = [
    () => stack.engine.killProcess('background'),
    () => stack.engine.killProcess('background'),
    async () => {
      await proxy.cut();
      await sleep(random() * pauseMsMax);
      await proxy.restore();
    },
    async () => {
      await stack.engine.kill();
      stack.engine = await startEngine(stack.engineOptions);
    },
    async () => {
      await stack.controlPlane.kill();
      stack.controlPlane = await until(() => startControlPlane(stack.controlPlaneOptions).catch(() => null), 'the control plane', 60_000);
    },
    async () => postgres.crash(),
  ];
  let kills = 0;
  for (; kills < victims.length || ledger.answered < clicks; kills++) {
    await victims[kills < victims.length ? kills : Math.floor(random() * victims.length)]?.();
    await sleep(random() * pauseMsMax);
  }
  await until(() => stack.rows('SELECT 1').catch(() => null), 'PostgreSQL to recover', 60_000);
  await stack.engine.whenReady();
  await client.stop();
  t.comment(`${kills} kills`);
  await checkCounts(t, stack, ledger);
  t.strictSame(readDroppedClicks(spoolFolder(stack.engineOptions.dataDir)), { bound: 0, disk: 0 });
  const [left] = await stack.rows<{ intents: number; clicks: number }>(
    'SELECT (SELECT count(*) FROM click_intents)::integer AS intents, (SELECT count(*) FROM clicks)::integer AS clicks',
  );
  t.same(left, { intents: 0, clicks: 0 }, 'no batch waits for ClickHouse, and PostgreSQL has no click');
  const totals = await untilAnswered(stack, link);
  t.equal(totals, await stack.clickLog.count(), 'statistics count every click');
}

interface Away {
  readonly stack: Stack;
  readonly link: CreatedLink;
  readonly proxy: TcpProxy;
  readonly ledger: Ledger;
}

async function whileAway(t: Test, { stack, link, proxy, ledger }: Away): Promise<void> {
  await until(async () => (await stack.clickLog.count()) > 100, 'the first clicks in ClickHouse');
  await proxy.cut();
  const { answered } = ledger;
  const { status } = await statsOf(stack, link);
  t.equal(status, 503, 'statistics are unavailable without ClickHouse');
  const { status: configuration } = await stack.controlPlane.call(stack.project, 'GET', `/links/${link.id}`);
  t.equal(configuration, 200, 'configuration is available without ClickHouse');
  await until(() => ledger.answered > answered + 50, 'redirects without ClickHouse');
  t.same([ledger.refused, ledger.inDoubt], [0, 0], 'no redirect failed');
  await proxy.restore();
  t.ok((await untilAnswered(stack, link)) > 0, 'statistics are available again with ClickHouse');
}

function statsOf({ controlPlane, project }: Stack, { id }: CreatedLink) {
  return controlPlane.call<{ totals: { all: number } }>(project, 'GET', `/links/${id}/stats?range=7d`);
}

function untilAnswered(stack: Stack, link: CreatedLink): Promise<number> {
  return until(
    async () => {
      const { status, body } = await statsOf(stack, link);
      return status === 200 ? body.totals.all : null;
    },
    'statistics',
    ANSWERED_AGAIN_MS_MAX,
  );
}
