import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Test } from 'tap';
import { readDroppedClicks } from '../../../engine/spool/drop-counters.js';
import { connect, countClicks, makeFlusher } from '../../support/click-log.js';
import { readSpool, segmentNames } from '../../support/clicks.js';
import { createDatabase } from '../../support/database.js';
import { until } from '../../support/until.js';

const WRITER = fileURLToPath(new URL('../../fixtures/spool-writer.js', import.meta.url));
const FLUSHER = fileURLToPath(new URL('../../fixtures/flusher-process.js', import.meta.url));
const BYTES_MAX = 512 * 1024 * 1024;

export type SpoolMode = 'mapped' | 'appended';

interface Ledger {
  readonly stored: number;
  readonly dropped: number;
}

/**
 * Runs a writer, and kills it `afterMs` milliseconds after its first stored click, or after its first dropped one if `bytesMax`
 * is set. Returns the last counts that it printed.
 */
async function writeAndKill(
  dir: string,
  mode: SpoolMode,
  prefix: string,
  settings: { bytesMax?: number; afterMs: number },
): Promise<Ledger> {
  const begun = settings.bytesMax === undefined ? /\d/ : /\d [1-9]/;
  const child = spawn(process.execPath, [WRITER, dir, mode, String(settings.bytesMax ?? BYTES_MAX), prefix], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  let dying = false;
  child.stdout.setEncoding('latin1').on('data', (text: string) => {
    said = (said + text).slice(-100);
    if (dying || !begun.test(said)) return;
    dying = true;
    setTimeout(() => child.kill('SIGKILL'), settings.afterMs);
  });
  const [, signal] = (await once(child, 'close')) as [number | null, string | null];
  if (signal !== 'SIGKILL') throw new Error(`the writer ended by itself, having said "${said}"`);
  // The kill may cut the last line off, so that the line before it is the last complete one.
  const [stored, dropped] = (said.split('\n').at(-2) as string).split(' ').map(Number) as [number, number];
  return { stored, dropped };
}

/** A writer that is killed at any moment loses no click that it took. */
export async function killWriters(t: Test, mode: SpoolMode, kills: number): Promise<void> {
  for (let kill = 0; kill < kills; kill++) {
    const dir = join(t.testdir(), `s${kill}`);
    const { stored } = await writeAndKill(dir, mode, 'n', { afterMs: Math.random() * 40 });
    const paths = (await readSpool(dir)).map((click) => click.path);
    t.ok(
      stored > 0 && paths.length >= stored && paths.length <= stored + 1,
      `${stored} clicks were accepted and ${paths.length} are there`,
    );
    t.same(
      paths,
      Array.from({ length: paths.length }, (_, number) => `n${number}`),
      'each click once and in order',
    );
  }
}

/** A writer that is killed while it drops clicks loses no count. */
export async function killDroppingWriters(t: Test, mode: SpoolMode, kills: number): Promise<void> {
  const dir = join(t.testdir(), 's');
  let dropped = 0;
  for (let kill = 0; kill < kills; kill++) {
    dropped += (await writeAndKill(dir, mode, 'n', { bytesMax: 1_700_000, afterMs: Math.random() * 40 })).dropped;
    const { bound, disk } = readDroppedClicks(dir);
    t.equal(disk, 0);
    t.ok(dropped > 0 && bound >= dropped && bound <= dropped + 1 + kill, `${dropped} were dropped and ${bound} are counted`);
  }
}

/** What killed writers have left is shipped once and their files are removed, although the flusher is killed too. */
export async function killWritersAndFlushers(t: Test, lives: number): Promise<void> {
  const database = await createDatabase();
  const client = await connect(database.url);
  t.teardown(async () => {
    await client.end();
    await database.drop();
  });
  const dir = join(t.testdir(), 's');
  const ledgers: Ledger[] = [];
  let writing = true;
  const writers = (['mapped', 'appended', 'mapped'] as const).map(async (mode, slot) => {
    for (let life = 0; life < lives; life++)
      ledgers.push(await writeAndKill(dir, mode, `${slot}-${life}-`, { afterMs: 100 + Math.random() * 100 }));
  });
  const flushers = (async () => {
    let kills = 0;
    for (; writing; kills++) {
      const child = spawn(process.execPath, [FLUSHER, dir, database.url], { stdio: 'inherit' });
      await new Promise((resolve) => setTimeout(resolve, 300 + Math.random() * 200));
      child.kill('SIGKILL');
      await once(child, 'close');
    }
    return kills;
  })();
  await Promise.all(writers).finally(() => {
    writing = false;
  });
  const kills = await flushers;
  const flusher = makeFlusher({ dir, databaseUrl: database.url });
  flusher.start();
  await until(() => segmentNames(dir).length === 0, 'all files to be removed', 30_000);
  await flusher.stop();
  const stored = ledgers.reduce((sum, ledger) => sum + ledger.stored, 0);
  const found = await countClicks(client);
  t.ok(kills > 1, `${kills} flushers were killed`);
  t.equal(found.ids, found.rows, 'no click twice');
  t.equal(found.paths, found.rows);
  t.ok(found.rows >= stored && found.rows <= stored + ledgers.length, `writers accepted ${stored} clicks and ${found.rows} are in the log`);
  t.match(flusher.stats(), { clicks_unreadable: 0, segments_quarantined: 0 });
}
