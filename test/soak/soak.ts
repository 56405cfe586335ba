import { readFileSync } from 'node:fs';
import type { Test } from 'tap';
import { spreadOf } from '../../bench/load/statistics.js';
import { LONG_REFERRER, SMALL_SPOOL_BYTES, sleep } from '../fault/scenarios.js';
import { askCard } from '../support/preview-bots.js';
import { visitorPerProcess } from '../support/process-visitors.js';
import { createCountedLink, type Stack, startStack } from '../support/stack.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { ANDROID, DESKTOP, IPHONE, type Visitor } from '../support/visitor.js';
import { MEMORY_FOLDER, type MemoryHeld, type MemoryMeasurement } from './collect-garbage.js';

export interface Soak {
  /** Minutes under several times the load (`WARM_UP_ROUNDS`). */
  readonly warmUpMinutes: number;
  /** Minutes at the load that is measured, in which what the warm-up took is given back. */
  readonly settleMinutes: number;
  /** Minutes that are measured. */
  readonly minutes: number;
  /** What a process may grow by, in megabytes an hour. */
  readonly growthMbPerHourMax: number;
}

/** Where a process that grows may do so. */
const PARTS = ['javascript', 'malloc_in_use', 'malloc_free', 'malloc_mapped'] as const satisfies readonly (keyof MemoryHeld)[];

/** What a process wrote down of its memory, by the minutes since `began`. */
function minutesOf(file: string, began: number): readonly (readonly MemoryMeasurement[])[] {
  const measurements = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line): MemoryMeasurement => JSON.parse(line));
  const minutes: MemoryMeasurement[][] = [];
  for (const measurement of measurements) {
    const minute = Math.floor((measurement.at - began) / 60_000);
    if (minute < 0) continue;
    minutes[minute] ??= [];
    minutes[minute].push(measurement);
  }
  return minutes;
}

/** The median of each minute, in megabytes. */
function mediansOf(minutes: readonly (readonly MemoryMeasurement[])[], part: keyof MemoryHeld): readonly number[] {
  return minutes.map((measurements) => spreadOf(measurements.map((measurement) => measurement[part] / 1_048_576)).median);
}

/**
 * The slope that half of all pairs of points exceed (P. K. Sen, "Estimates of the Regression Coefficient Based on Kendall's
 * Tau", 1968): a collection that came a minute early or late does not tilt it.
 */
function slopeOf(values: readonly number[]): number {
  const slopes = values.flatMap((value, index) => values.slice(index + 1).map((later, ahead) => (later - value) / (ahead + 1)));
  return spreadOf(slopes).median;
}

/**
 * One of everything that a link host is asked for, with texts that nobody has sent before (`text`): what remembers texts is
 * filled and emptied again several times a minute, and so are the segments of the spool.
 */
async function visitAll(stack: Stack, visitor: Visitor, path: string, text: string): Promise<void> {
  await visitor.visit(`/${path}?campaign=${text}`, `${DESKTOP} ${text}`, LONG_REFERRER);
  await visitor.visit(`/${path}`, `${ANDROID} ${text}`, LONG_REFERRER);
  await visitor.visit(`/${path}`, `${IPHONE} ${text}`, LONG_REFERRER);
  await visitor.visit(`/nothing-${text}`, DESKTOP);
  await askCard(stack, `/${path}`);
}

/** Clicks by people that `visitAll` makes, each of another visitor: its user agent is one that nobody has sent before. */
const VISITORS_OF_ROUND = 3;

/**
 * What the control plane remembers of a visitor until his day is over (`DayVisitors`): sixty bytes, in arrays that double as they
 * grow. It is meant to grow by that, and by no more.
 */
const VISITOR_BYTES_MAX = 200;

/** Links are made and changed, and what is read of them. */
async function configure({ controlPlane, project }: Stack): Promise<void> {
  const { body } = await controlPlane.call<{ id: string }>(project, 'POST', '/links', {
    destinations: { web: 'https://destination.example/' },
  });
  await controlPlane.call(project, 'PATCH', `/links/${body.id}`, { deep_link_path: '/changed' });
  await controlPlane.call(project, 'GET', '/links?limit=100');
  await controlPlane.call(project, 'DELETE', `/links/${body.id}`);
}

/**
 * Rounds at once while a process warms up. V8 compiles a function once it has run often enough, and keeps what it learned
 * for it: heap snapshots of `background` that were taken minutes apart differ by compiled code and its tables. The lower the
 * load, the longer that goes on.
 */
const WARM_UP_ROUNDS = 8;

/**
 * From the start of one round to the start of the next, once the processes are warm. A round takes half of it: the load stays
 * the same whatever else the machine does, and what remembers texts is filled and emptied again all the same.
 */
const ROUND_EVERY_MS = 50;

/**
 * Constant load on every process, and what each holds of memory: the median of each minute. What remembers texts is anywhere
 * between empty and full at a measurement, so that one differs from the next by megabytes, the median of twelve from that of
 * the next twelve by some hundred kilobytes.
 */
export async function soak(t: Test, { warmUpMinutes, settleMinutes, minutes, growthMbPerHourMax }: Soak): Promise<void> {
  const folder = temporaryFolder(t);
  const stack = await startStack(t, {
    environment: {
      [MEMORY_FOLDER]: folder,
      NODE_OPTIONS: `--import=${new URL('./collect-garbage.js', import.meta.url)}`,
      SPOOL_BYTES_MAX: String(SMALL_SPOOL_BYTES),
    },
  });
  const { path } = await createCountedLink(stack);
  const processes = new Map([...(await stack.engine.pids()), ['supervisor', stack.engine.pid], ['control-plane', stack.controlPlane.pid]]);
  const redirects = [...processes].flatMap(([name, pid]) => (name.startsWith('redirect') ? [pid] : []));
  const visitors = [
    ...(await visitorPerProcess({ port: stack.engine.port, host: stack.project.linkHost, path: `/${path}` }, redirects)).values(),
  ];
  t.teardown(() => {
    for (const visitor of visitors) visitor.close();
  });
  const round = (name: string) =>
    Promise.all([...visitors.map((visitor, index) => visitAll(stack, visitor, path, `${name}-${index}`)), configure(stack)]);
  const began = Date.now();
  const warm = began + warmUpMinutes * 60_000;
  const measuredFromMinute = warmUpMinutes + settleMinutes;
  const end = began + (measuredFromMinute + minutes) * 60_000;
  for (let rounds = 0; Date.now() < warm; rounds++)
    await Promise.all(Array.from({ length: WARM_UP_ROUNDS }, (_, index) => round(`warm-${rounds}-${index}`)));
  const settling = Date.now();
  let rounds = 0;
  for (; Date.now() < end; rounds++) {
    await round(`${rounds}`);
    await sleep(Math.max(0, settling + (rounds + 1) * ROUND_EVERY_MS - Date.now()));
  }
  t.ok(rounds > ((end - settling) / ROUND_EVERY_MS) * 0.95, `the load was constant: ${rounds} rounds`);
  const visitorsPerHour = (rounds * visitors.length * VISITORS_OF_ROUND * 60) / (settleMinutes + minutes);
  for (const [name, pid] of processes) {
    const measured = minutesOf(`${folder}/${pid}`, began).slice(measuredFromMinute, measuredFromMinute + minutes);
    t.equal(measured.filter((measurements) => measurements !== undefined).length, minutes, `${name} was measured every minute`);
    const growthOf = (medians: readonly number[]) => slopeOf(medians) * 60;
    const pages = mediansOf(measured, 'anonymous');
    const growth = growthOf(pages);
    const parts = PARTS.map((part) => `${part} ${growthOf(mediansOf(measured, part)).toFixed(2)}`).join(', ');
    const shown = pages.map((value) => value.toFixed(1)).join(' ');
    const figures = `${name}: ${growth.toFixed(2)} MB/h (${parts}), ${shown} MB`;
    // What passes is reported without a word, and these figures are worth an hour.
    console.error(figures);
    const remembered = name === 'control-plane' ? (visitorsPerHour * VISITOR_BYTES_MAX) / 1_048_576 : 0;
    t.ok(growth < growthMbPerHourMax + remembered, `${figures}; ${remembered.toFixed(1)} MB/h for visitors`);
  }
  t.same(
    await stack.engine.pids(),
    new Map([...processes].filter(([name]) => name !== 'supervisor' && name !== 'control-plane')),
    'none was replaced',
  );
}
