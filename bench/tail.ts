import { cpus } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { readWaitingClicks } from './counting/click-costs.js';
import { type CountingService, createLinks, withCountingService } from './counting/service.js';
import { LIVE_LINK_HOST } from './load/rest-service.js';
import { bootstrapAgain, createSteadily, fillLinks, rebuildIndex } from './tail/changes.js';
import { type VisitorsResult, visitDuring } from './tail/visitors.js';

export interface TailBench {
  /** Links that the host reads again, and from which it builds its index. */
  readonly links: number;
  /** The shortest duration of each part. */
  readonly seconds: number;
  /** Visits per second; null for as many as keep the machine half busy. */
  readonly rate: number | null;
  onStep(done: number, of: number, what: string): void;
}

/** Visitors on a machine that they keep half busy, while one thing happens. */
export interface TailPart extends VisitorsResult {
  readonly part: string;
  readonly seconds: number;
}

export interface TailResult {
  readonly links: number;
  /** Visits per second. */
  readonly rate: number;
  readonly created_per_second: number;
  readonly parts: readonly TailPart[];
}

const VISITED_LINKS = 10_000;
const CONNECTIONS = 64;
const CREATED_PER_SECOND = 5_000;
/** Visits per second with which the busy share of the machine is measured, and for how long: shorter if the parts are short too. */
const TRIAL_RATE = 5_000;
const TRIAL_MS = 15_000;
const TRIAL_MS_OF_SECOND = 2_000;
const BUSY_SHARE = 0.5;
/** Longer than a click takes to reach the database. */
const REST_MS = 2_000;

/** Measures how long visitors wait for their answers while one thing after another changes. */
export function runTail({ links, seconds, rate: wantedRate, onStep }: TailBench): Promise<TailResult> {
  return withCountingService(async (service) => {
    const visited = await createLinks(service, Math.min(VISITED_LINKS, links));
    await fillLinks(service.client, service.environmentId, links);
    const job = { port: service.engine.port, host: LIVE_LINK_HOST, paths: visited.map(({ path }) => path), connections: CONNECTIONS };
    let created_per_second = 0;
    const changes = changesOf(service, async () => {
      created_per_second = await createSteadily(service, CREATED_PER_SECOND, seconds);
    });
    onStep(0, changes.length + 1, 'warm-up');
    const rate = wantedRate ?? (await halfLoad(service, job, Math.min(TRIAL_MS, seconds * TRIAL_MS_OF_SECOND)));
    const parts: TailPart[] = [];
    for (const { part, change } of changes) {
      await untilRested(service);
      onStep(parts.length + 1, changes.length + 1, part);
      parts.push({ part, ...(await measure({ ...job, rate }, change, seconds)) });
    }
    onStep(changes.length + 1, changes.length + 1, 'done');
    return { links, rate, created_per_second, parts };
  });
}

/**
 * Returns the rate that keeps the machine half busy, with everything that a visit makes it do: the redirect, its click
 * on the way into the database, the counting, and these visitors.
 */
async function halfLoad(service: CountingService, job: Omit<Parameters<typeof visitDuring>[0], 'rate'>, trialMs: number): Promise<number> {
  // The first visits are those of a cold service.
  await visitDuring({ ...job, rate: TRIAL_RATE }, () => setTimeout(trialMs));
  await untilRested(service);
  const before = processorTimes();
  await visitDuring({ ...job, rate: TRIAL_RATE }, () => setTimeout(trialMs));
  const after = processorTimes();
  const busyShare = (after.busy - before.busy) / (after.all - before.all);
  return Math.round((TRIAL_RATE * BUSY_SHARE) / busyShare);
}

function processorTimes(): { readonly busy: number; readonly all: number } {
  const times = cpus().map(({ times: { user, nice, sys, irq, idle } }) => ({ busy: user + nice + sys + irq, idle }));
  const busy = times.reduce((sum, one) => sum + one.busy, 0);
  return { busy, all: times.reduce((sum, one) => sum + one.idle, busy) };
}

interface Change {
  readonly part: string;
  readonly change: () => Promise<void>;
}

function changesOf({ engine, client }: CountingService, create: () => Promise<void>): readonly Change[] {
  return [
    { part: 'quiet', change: () => Promise.resolve() },
    { part: `${CREATED_PER_SECOND} new links a second`, change: create },
    { part: 'all links read again', change: () => bootstrapAgain(client, engine.dataDir) },
    { part: 'the link index rebuilt', change: () => rebuildIndex(engine.dataDir) },
    { part: 'a rolling restart', change: () => engine.rollingRestart() },
  ];
}

/** Waits, so that the clicks of one part are not counted in the next. */
async function untilRested({ client }: CountingService): Promise<void> {
  do await setTimeout(REST_MS);
  while ((await readWaitingClicks(client)) > 0);
}

async function measure(
  job: Parameters<typeof visitDuring>[0],
  change: () => Promise<void>,
  seconds: number,
): Promise<VisitorsResult & { readonly seconds: number }> {
  const beganAt = performance.now();
  const result = await visitDuring(job, async () => {
    await Promise.all([change(), setTimeout(seconds * 1000)]);
  });
  return { ...result, seconds: (performance.now() - beganAt) / 1000 };
}
