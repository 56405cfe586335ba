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
  /** Minutes of warm-up, under several times the load (`WARM_UP_ROUNDS`). */
  readonly warmUpMinutes: number;
  /** Minutes under the measured load, in which the memory of the warm-up is returned. */
  readonly settleMinutes: number;
  /** Minutes of measurement. */
  readonly minutes: number;
  /** The growth allowed to a process, in megabytes an hour. */
  readonly growthMbPerHourMax: number;
}

/** The parts of a process's memory that may grow. */
const PARTS = ['javascript', 'malloc_in_use', 'malloc_free', 'malloc_mapped'] as const satisfies readonly (keyof MemoryHeld)[];

/** The memory measurements of a process, by minutes since `began`. */
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
 * The slope that half of all pairs of points exceed (P. K. Sen, "Estimates of the Regression Coefficient Based on Kendall's Tau",
 * 1968). A collection that comes a minute early or late does not change it.
 */
function slopeOf(values: readonly number[]): number {
  const slopes = values.flatMap((value, index) => values.slice(index + 1).map((later, ahead) => (later - value) / (ahead + 1)));
  return spreadOf(slopes).median;
}

/**
 * Makes one request of each kind to a link host, with texts that were never sent before (`text`), so that caches of texts are
 * filled and emptied several times a minute, as are the segments of the spool.
 */
async function visitAll(stack: Stack, visitor: Visitor, path: string, text: string): Promise<void> {
  await visitor.visit(`/${path}?campaign=${text}`, `${DESKTOP} ${text}`, LONG_REFERRER);
  await visitor.visit(`/${path}`, `${ANDROID} ${text}`, LONG_REFERRER);
  await visitor.visit(`/${path}`, `${IPHONE} ${text}`, LONG_REFERRER);
  await visitor.visit(`/nothing-${text}`, DESKTOP);
  await askCard(stack, `/${path}`);
}

/** How many clicks by people `visitAll` makes, each by a new visitor, because its user agent was never sent before. */
const VISITORS_OF_ROUND = 3;

/**
 * How much the control plane remembers of a visitor until the visitor's day is over (`DayVisitors`): sixty bytes, in arrays that
 * double as they grow. It may grow by that, and by no more.
 */
const VISITOR_BYTES_MAX = 200;

/** Creates, changes, reads and deletes links. */
async function configure({ controlPlane, project }: Stack): Promise<void> {
  const { body } = await controlPlane.call<{ id: string }>(project, 'POST', '/links', {
    destinations: { web: 'https://destination.example/' },
  });
  await controlPlane.call(project, 'PATCH', `/links/${body.id}`, { deep_link_path: '/changed' });
  await controlPlane.call(project, 'GET', '/links?limit=100');
  await controlPlane.call(project, 'DELETE', `/links/${body.id}`);
}

/**
 * How many rounds run at once while a process warms up. V8 compiles a function after it has run often enough, and keeps what it
 * learned for it: heap snapshots of `background` taken minutes apart differ by compiled code and its tables. The lower the load,
 * the longer that goes on.
 */
const WARM_UP_ROUNDS = 8;

/**
 * The interval between the starts of two rounds, once the processes are warm. A round takes half of it, so that the load stays
 * the same whatever else the machine does, while caches of texts are still filled and emptied.
 */
const ROUND_EVERY_MS = 50;

/**
 * Puts a constant load on every process, and checks the memory that each holds by the median of each minute. At a measurement,
 * caches of texts may be anywhere between empty and full, so that two measurements differ by megabytes, and the medians of twelve
 * by a few hundred kilobytes.
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
    // The test runner prints nothing about an assertion that passes, and these figures take an hour to obtain.
    console.error(figures);
    const remembered = name === 'control-plane' ? (visitorsPerHour * VISITOR_BYTES_MAX) / 1_048_576 : 0;
    t.ok(growth < growthMbPerHourMax + remembered, `${figures}; ${remembered.toFixed(1)} MB/h for visitors`);
  }
  t.same(
    await stack.engine.pids(),
    new Map([...processes].filter(([name]) => name !== 'supervisor' && name !== 'control-plane')),
    'no process was replaced',
  );
}
