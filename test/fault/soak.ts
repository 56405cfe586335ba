import { readFileSync } from 'node:fs';
import type { Test } from 'tap';
import { spreadOf } from '../../bench/load/statistics.js';
import { askCard } from '../support/preview-bots.js';
import { visitorPerProcess } from '../support/process-visitors.js';
import { createLedgerLink, type Stack, startStack } from '../support/stack.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { ANDROID, DESKTOP, IPHONE, type Visitor } from '../support/visitor.js';
import { MEMORY_FOLDER } from './collect-garbage.js';
import { LONG_REFERRER, SMALL_SPOOL_BYTES, sleep } from './scenarios.js';

export interface Soak {
  readonly warmUpMinutes: number;
  /** Minutes that are measured. */
  readonly minutes: number;
  /** What a process may grow by, in megabytes an hour. */
  readonly growthMbPerHourMax: number;
}

/** What a process wrote down of its memory (collect-garbage.ts): the median of each minute since `began`, in megabytes. */
function mediansOfMinutes(file: string, began: number): readonly number[] {
  const minutes: number[][] = [];
  for (const line of readFileSync(file, 'utf8').trim().split('\n')) {
    const [at, kilobytes] = line.split(' ').map(Number) as [number, number];
    const minute = Math.floor((at - began) / 60_000);
    if (minute < 0) continue;
    minutes[minute] ??= [];
    minutes[minute].push(kilobytes / 1024);
  }
  return minutes.map((values) => spreadOf(values).median);
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
 * Constant load on every process, and what each holds of memory: the median of each minute. What remembers texts is anywhere
 * between empty and full at a measurement, so that one differs from the next by megabytes, the median of twelve from that of
 * the next twelve by some hundred kilobytes.
 */
export async function soak(t: Test, { warmUpMinutes, minutes, growthMbPerHourMax }: Soak): Promise<void> {
  const folder = temporaryFolder(t);
  const stack = await startStack(t, {
    environment: {
      [MEMORY_FOLDER]: folder,
      NODE_OPTIONS: `--import=${new URL('./collect-garbage.js', import.meta.url)}`,
      SPOOL_BYTES_MAX: String(SMALL_SPOOL_BYTES),
    },
  });
  const { path } = await createLedgerLink(stack);
  const processes = new Map([...(await stack.engine.pids()), ['supervisor', stack.engine.pid], ['control-plane', stack.controlPlane.pid]]);
  const redirects = [...processes].flatMap(([name, pid]) => (name.startsWith('redirect') ? [pid] : []));
  const visitors = [
    ...(await visitorPerProcess({ port: stack.engine.port, host: stack.project.linkHost, path: `/${path}` }, redirects)).values(),
  ];
  t.teardown(() => {
    for (const visitor of visitors) visitor.close();
  });
  const began = Date.now();
  const end = began + (warmUpMinutes + minutes) * 60_000;
  for (let round = 0; Date.now() < end; round++) {
    await Promise.all([...visitors.map((visitor, index) => visitAll(stack, visitor, path, `${round}-${index}`)), configure(stack)]);
    await sleep(10);
  }
  for (const [name, pid] of processes) {
    const measured = mediansOfMinutes(`${folder}/${pid}`, began).slice(warmUpMinutes, warmUpMinutes + minutes);
    t.equal(measured.filter((value) => value !== undefined).length, minutes, `${name} was measured every minute`);
    const growth = slopeOf(measured) * 60;
    const shown = measured.map((value) => value.toFixed(1)).join(' ');
    t.ok(growth < growthMbPerHourMax, `${name}: ${growth.toFixed(2)} MB/h, ${shown} MB`);
  }
  t.same(
    await stack.engine.pids(),
    new Map([...processes].filter(([name]) => name !== 'supervisor' && name !== 'control-plane')),
    'none was replaced',
  );
}
