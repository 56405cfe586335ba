import type { Test } from 'tap';
import { spoolFolder } from '../../engine/settings.js';
import { readDroppedClicks } from '../../engine/spool/drop-counters.js';
import { startControlPlane } from '../support/control-plane.js';
import { startEngine } from '../support/engine.js';
import { freePort } from '../support/free-port.js';
import { Ledger } from '../support/ledger.js';
import { mountSmallDisk, type SmallDisk } from '../support/small-disk.js';
import { type CreatedLink, createCountedLink, type OwnPostgres, type Stack, startOwnPostgres, startStack } from '../support/stack.js';
import { until } from '../support/until.js';
import { checkCounts, LONG_REFERRER, load, SMALL_SPOOL_BYTES, sleep } from './scenarios.js';

export interface RandomKills {
  /** Determines the order of the kills, and the time between them. */
  readonly seed: number;
  /** Rounds are begun until this time has passed. Each round kills everything once. */
  readonly seconds: number;
  /** The longest time between two kills. */
  readonly pauseMsMax: number;
  readonly connections: number;
  /** The pause of each connection after each answer; 0 is full rate. */
  readonly restMs: number;
}

/** The engine's folder is on a disk that the spool alone cannot fill. */
const DISK_BYTES = 2 * SMALL_SPOOL_BYTES;
const DROPPED_MIN = 500;

/**
 * Promise R15. Everything that can die is killed with -9 under load, in random order and at random moments, whether or not what
 * died before is back: each redirect process, `background`, the supervisor, the control plane and PostgreSQL. Once, the engine's
 * disk is full. Then the ledger of the clients, the click log, the counts of dropped clicks and the figures must agree to the
 * last click.
 */
export async function randomKills(t: Test, { seed, seconds, pauseMsMax, ...rate }: RandomKills): Promise<void> {
  t.comment(`seed ${seed}`);
  const disk = mountSmallDisk(t, DISK_BYTES);
  const postgres = await startOwnPostgres(t);
  const stack = await startStack(t, {
    databaseUrl: postgres.url,
    ...(disk === null ? {} : { dataDir: disk.dir }),
    // A fixed port, so that it is the same after the supervisor's death.
    environment: { ENGINE_PORT: String(await freePort()), SPOOL_BYTES_MAX: String(SMALL_SPOOL_BYTES) },
  });
  const link = await createCountedLink(stack);
  const ledger = new Ledger();
  const client = load(stack, link, { ledger, ...rate });
  await crashPostgresAlone(t, stack, postgres, ledger);
  const random = randomFrom(seed);
  const victims = victimsOf(stack, postgres);
  const beganAt = performance.now();
  let kills = 0;
  do {
    for (const victim of shuffled(victims, random)) {
      if (await victim.kill()) kills++;
      await sleep(random() * pauseMsMax);
    }
    if (kills <= victims.length) await fillDiskOnce(t, { stack, disk, link, ledger });
  } while (performance.now() - beganAt < seconds * 1000);
  await whenWell(stack);
  await client.stop();
  t.comment(
    `${kills} kills in ${Math.round((performance.now() - beganAt) / 1000)} s; the longest time without an answer ${client.longestGapMs()} ms`,
  );
  await checkCounts(t, stack, ledger);
  await checkFigures(t, stack, link);
}

/** PostgreSQL recovers by itself, and no visitor notices (R1). */
async function crashPostgresAlone(t: Test, stack: Stack, postgres: OwnPostgres, ledger: Ledger): Promise<void> {
  await until(() => ledger.answered > 100, 'load');
  postgres.crash();
  await until(() => stack.rows('SELECT 1').catch(() => null), 'PostgreSQL to recover', 60_000);
  t.same([ledger.refused, ledger.inDoubt], [0, 0], 'no redirect fails while PostgreSQL recovers');
}

interface Victim {
  /** Kills it, and starts it again unless another process does. Resolves to false if it was dead already. */
  kill(): Promise<boolean>;
}

function victimsOf(stack: Stack, postgres: OwnPostgres): readonly Victim[] {
  const child = (name: string): Victim => ({ kill: () => stack.engine.killProcess(name) });
  return [
    child('redirect-0'),
    child('redirect-1'),
    child('background'),
    {
      async kill() {
        await stack.engine.kill();
        stack.engine = await startEngine(stack.engineOptions);
        return true;
      },
    },
    {
      async kill() {
        await stack.controlPlane.kill();
        // Restarted as by systemd: while PostgreSQL is away, it ends by itself and is started again.
        stack.controlPlane = await until(() => startControlPlane(stack.controlPlaneOptions).catch(() => null), 'the control plane', 60_000);
        return true;
      },
    },
    { kill: async () => postgres.crash() },
  ];
}

async function whenWell(stack: Stack): Promise<void> {
  await until(() => stack.rows('SELECT 1').catch(() => null), 'PostgreSQL to recover', 60_000);
  await stack.engine.whenReady();
}

interface FullDisk {
  readonly stack: Stack;
  readonly disk: SmallDisk | null;
  readonly link: CreatedLink;
  readonly ledger: Ledger;
}

/** Fills the disk to the last byte. Visitors are redirected, and each click that cannot be stored is counted. */
async function fillDiskOnce(t: Test, { stack, disk, link, ledger }: FullDisk): Promise<void> {
  await whenWell(stack);
  if (disk === null) {
    t.comment('this user may not mount: the disk could not be filled');
    return;
  }
  const dropped = () => readDroppedClicks(spoolFolder(stack.engineOptions.dataDir)).disk;
  const { refused, inDoubt } = ledger;
  // Shipped clicks free space, so that the disk is filled again.
  const full = () => {
    disk.fill();
    return dropped() >= DROPPED_MIN;
  };
  const client = load(stack, link, { ledger, referrer: LONG_REFERRER });
  await until(full, 'clicks that are dropped because the disk is full', 60_000);
  await client.stop();
  disk.empty();
  t.same([ledger.refused, ledger.inDoubt], [refused, inDoubt], 'no redirect fails while the disk is full');
  await until(async () => {
    const before = dropped();
    await sleep(200);
    return dropped() === before;
  }, 'no more clicks to be dropped');
  await whenWell(stack);
}

/** Millions of clicks may wait when the kills end, and those of the day that are counted already are read first. */
const PROGRESS_MS_MAX = 600_000;

/** Checks that the figures agree with the log, although those that count were killed. */
export async function checkFigures(t: Test, stack: Stack, link: CreatedLink): Promise<void> {
  const beganAt = performance.now();
  let left = await readWaiting(stack);
  t.comment(`${left} clicks wait to be counted`);
  while (left > 0) {
    const before = left;
    const waiting = async () => {
      left = await readWaiting(stack);
      return left < before;
    };
    await until(waiting, `fewer than ${before} clicks to wait to be counted`, PROGRESS_MS_MAX).catch((error: unknown) => {
      t.comment(stack.controlPlane.output().slice(-OUTPUT_SHOWN));
      throw error;
    });
  }
  t.comment(`all clicks were counted after ${Math.round(performance.now() - beganAt)} ms more`);
  const { status, body } = await stack.controlPlane.call<{ totals: { all: number } }>(
    stack.project,
    'GET',
    `/links/${link.id}/stats?range=7d`,
  );
  const [row] = await stack.rows<{ clicks: number }>('SELECT count(*)::integer AS clicks FROM clicks');
  t.same([status, body.totals.all], [200, row?.clicks], 'the statistics count every click of the log');
}

const OUTPUT_SHOWN = 5_000;

async function readWaiting(stack: Stack): Promise<number> {
  const [row] = await stack.rows<{ clicks: number }>('SELECT coalesce(sum(clicks), 0)::float8 AS clicks FROM click_batches');
  return row?.clicks ?? 0;
}

/** Mulberry32 (Tommy Ettinger, public domain). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
}

function shuffled<Value>(values: readonly Value[], random: () => number): Value[] {
  const rest = [...values];
  return values.map(() => rest.splice(Math.floor(random() * rest.length), 1)[0] as Value);
}
