import { parentPort, workerData } from 'node:worker_threads';
import { invariant } from '../../shared/base/invariant.js';
import { createDatabase, createLongStatementPool } from '../db/database.js';
import { type Outcome, outcomeOf } from '../threads/outcome.js';
import { ClickCounter } from './click-counter.js';
import type { CountingSettings, CountingTask } from './counting-thread.js';
import { makePrefix } from './top-prefixes.js';

/** The thread that counts clicks: what it remembers of their visitors lives as long as it does. */

invariant(parentPort !== null, 'this module runs in a worker thread');
const port = parentPort;
const settings = workerData as CountingSettings;
const pool = createLongStatementPool(settings.databaseUrl, 'control-plane-counting', (error) => port.postMessage(error));
const database = createDatabase(pool);
const counter = new ClickCounter(database, settings.clickRetentionDays);

export default function work({ what, nowMs }: CountingTask): Promise<Outcome<number>> {
  return outcomeOf(async () => {
    if (what === 'clicks') return counter.count(nowMs);
    return (await makePrefix(database, nowMs)) ? 1 : 0;
  });
}
