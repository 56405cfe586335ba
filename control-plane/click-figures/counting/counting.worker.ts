import { parentPort, workerData } from 'node:worker_threads';
import { invariant } from '../../../shared/base/invariant.js';
import { createDatabase, createLongStatementPool } from '../../db/database.js';
import { type Outcome, outcomeOf } from '../../threads/outcome.js';
import { DayColumns } from '../prepared/day-columns.js';
import { createLinkSums } from '../prepared/link-clicks.js';
import { createPrefixes } from '../prepared/top-prefixes.js';
import { ClickCounter } from './click-counter.js';
import type { CountingSettings, CountingTask } from './counting-thread.js';

/** The thread that counts clicks. It keeps their visitors in memory for as long as it lives. */

invariant(parentPort !== null, 'this module runs in a worker thread');
const port = parentPort;
const settings = workerData as CountingSettings;
const open = (name: string) =>
  createDatabase(createLongStatementPool(settings.databaseUrl, `control-plane-${name}`, (error) => port.postMessage(error)));
const storing = open('counting');
const counter = new ClickCounter({
  storing,
  reading: open('reading-clicks'),
  clickRetentionDays: settings.clickRetentionDays,
});

const prefixes = createPrefixes(storing);
const linkSums = createLinkSums(storing);
const dayColumns = new DayColumns(storing);

const STEPS = {
  clicks: (nowMs: number) => counter.count(nowMs),
  prefix: (nowMs: number) => prefixes.step(nowMs),
  links: (nowMs: number) => linkSums.step(nowMs),
  columns: (nowMs: number) => dayColumns.step(nowMs),
} as const;

export default function work({ what, nowMs }: CountingTask): Promise<Outcome<number>> {
  return outcomeOf(async () => Number(await STEPS[what](nowMs)));
}
