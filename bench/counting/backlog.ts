import { setTimeout } from 'node:timers/promises';
import type pg from 'pg';
import { withClient } from '../../deploy/local/with-client.js';
import { withControlPlane, withProject } from '../load/rest-service.js';
import { fillBacklog } from './backlog-fill.js';
import { type ClickCosts, readFigureRows, readTableSizes, readWaitingClicks, startCostReading, type TableSize } from './click-costs.js';
import { askStatistics } from './statistics-poll.js';

export interface BacklogBench {
  readonly links: number;
  /** Clicks that wait when the control plane starts. */
  readonly clicks: number;
  onStep(done: number, of: number, what: string): void;
}

/** How fast a control plane counts the clicks that wait. */
export interface BacklogResult {
  /** Clicks that were filled in. */
  readonly filled: number;
  /** Clicks that still waited when the control plane listened. The rate and the costs refer to them. */
  readonly clicks: number;
  readonly seconds: number;
  readonly clicks_per_second: number;
  readonly costs: ClickCosts;
  readonly figure_rows_per_click: number;
  readonly tables: readonly TableSize[];
  /** What the statistics say at the end. */
  readonly totals: { readonly all: number; readonly unique: number };
}

/** Fills the click log, starts a control plane and waits until it has counted everything. */
export function runBacklog({ links, clicks, onStep }: BacklogBench): Promise<BacklogResult> {
  return withProject(({ databaseUrl, environmentId, secretKey, postgresPid }) =>
    withClient(databaseUrl, async (client) => {
      await fillBacklog(client, environmentId, { links, clicks, onClicks: (filled) => onStep(filled, 2 * clicks, 'clicks are stored') });
      return withControlPlane(databaseUrl, async ({ child, url }) => {
        const reading = await startCostReading(client, { postgres: postgresPid, controlPlane: child.pid as number, engine: null });
        const waitingAtStart = await readWaitingClicks(client);
        if (waitingAtStart === 0)
          throw new Error('everything was counted before the control plane said that it listens: ask for more clicks');
        const seconds = await untilCounted(client, (waiting) => onStep(2 * clicks - waiting, 2 * clicks, 'clicks are counted'));
        const costs = await reading.costsOf(waitingAtStart);
        return {
          filled: clicks,
          clicks: waitingAtStart,
          seconds,
          clicks_per_second: waitingAtStart / seconds,
          costs,
          figure_rows_per_click: (await readFigureRows(client)) / clicks,
          tables: await readTableSizes(client, clicks),
          totals: await totalsOf(url, secretKey),
        };
      });
    }),
  );
}

const LOOK_MS = 50;
const STEP_MS = 5_000;

/** Returns the seconds until no click waits. */
async function untilCounted(client: pg.Client, onWaiting: (clicks: number) => void): Promise<number> {
  const beganAt = performance.now();
  let toldAt = beganAt;
  for (;;) {
    const waiting = await readWaitingClicks(client);
    const now = performance.now();
    if (waiting === 0 || now - toldAt >= STEP_MS) {
      onWaiting(waiting);
      toldAt = now;
    }
    if (waiting === 0) return (now - beganAt) / 1000;
    await setTimeout(LOOK_MS);
  }
}

async function totalsOf(url: string, secretKey: string): Promise<BacklogResult['totals']> {
  // The clicks are from the last minutes, which may belong to two days.
  const { body } = await askStatistics<{ readonly totals: { readonly all: number; readonly unique: number } }>(
    url,
    secretKey,
    '/stats?range=7d',
  );
  const { all, unique } = body.totals;
  return { all, unique };
}
