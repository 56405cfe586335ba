import { DAY_MS } from '../../shared/base/instant.js';
import { InvariantError } from '../../shared/base/invariant.js';
import {
  ATTRIBUTION_WINDOW_MINUTES_MAX,
  DELIVERY_LOG_DAYS,
  EVENT_LOG_DAYS,
  METADATA_FIGURES_DAYS,
  PLAY_REFERRER_DAYS,
} from '../../shared/base/limits.js';
import { figureDaysKept } from '../click-figures/kept-days.js';
import type { ClickStore } from '../click-store/click-store.js';
import { BATCHES_KEPT_SECONDS } from '../click-stream/limits.js';
import { forgetClickLogBatches } from '../click-stream/sql.js';
import type { Database, Queryable } from '../db/database.js';
import { dropDayPartitions, makeDayPartitions } from '../db/day-partitions.js';
import { forgetOldKeys } from '../http/idempotency.js';
import { forgetEndedRuns } from '../http/running-keys.js';
import { forgetOldAnswers, forgetOldFigures, forgetReplacedAnswers } from '../resources/invalidate.js';
import type { Retention } from '../settings.js';
import { destroyOldHashKeys } from './hash-keys.js';
import {
  forgetDeletedLinks,
  forgetErasedEnvironments,
  forgetInstalls,
  forgetReplacedSecrets,
  forgetUnfinishedSegments,
} from './old-rows.js';
import { createPeriodicJob, type JobSurroundings, type PeriodicJob, type Round } from './periodic.js';

interface MaintenanceOptions extends JobSurroundings {
  readonly database: Database;
  readonly clickStore: Pick<ClickStore, 'dropOld'>;
  /** Clicks and events are dropped by whole days. */
  readonly retention: Retention;
  /** Called after feed rows were committed. */
  readonly feedChanged: () => void;
}

const INTERVAL_MS = 3_600_000;
const RETRY_MS = 30_000;

/** Partitions are created this far ahead, so that rows have one even after days without a run. */
const PARTITION_DAYS_AHEAD = 7;

/** After this time without a run, the operator is told, while there are still some partitions left. */
const OVERDUE_MS = 2 * DAY_MS;

/** A host that was switched off is expected to return within this time, or not at all. */
const SEGMENT_DAYS_MIN = 90;

/** Maximum number of rows of one deletion. */
const FORGET_ROWS = 5_000;

const PARTITIONED_TABLES = [
  'clicks',
  'click_figures',
  'click_breakdowns',
  'click_breakdown_changes',
  'click_visits',
  'events',
  'webhook_deliveries',
  'tracked_events',
  'app_opens',
  'open_clicks',
  'click_devices',
] as const;
type PartitionedTable = (typeof PARTITIONED_TABLES)[number];

/** Creates the hourly maintenance of the database. A step that has been done already does nothing. */
export function createMaintenance(options: MaintenanceOptions): PeriodicJob {
  const { log, clock, intervalMs = INTERVAL_MS } = options;
  const steps = { ...stepsOfPartitions(options), ...stepsOfRows(options) };
  return createPeriodicJob({
    part: 'maintenance',
    round: (round) => runSteps(steps, round),
    intervalMs,
    retryMs: RETRY_MS,
    overdueMs: OVERDUE_MS,
    overdueReason: 'partitions run out',
    log,
    clock,
  });
}

/** The steps of a round, in order, by the names under which a failure is reported. */
type Steps = Readonly<Record<string, (round: Round) => Promise<unknown>>>;

/** The steps for tables that are partitioned by day. */
function stepsOfPartitions({ database, clickStore, retention }: MaintenanceOptions): Steps {
  const drop = (parent: PartitionedTable, daysKept: number) => () => dropDayPartitions(database, parent, daysKept);
  return {
    ...Object.fromEntries(
      PARTITIONED_TABLES.map((parent) => [`making days of ${parent}`, () => makeDayPartitions(database, parent, PARTITION_DAYS_AHEAD)]),
    ),
    'dropping deliveries': drop('webhook_deliveries', DELIVERY_LOG_DAYS),
    'dropping events': drop('events', EVENT_LOG_DAYS),
    'dropping clicks': () => clickStore.dropOld(database, retention.clicks),
    'dropping figures of clicks': drop('click_figures', figureDaysKept(retention.clicks)),
    'dropping breakdowns of clicks': drop('click_breakdowns', figureDaysKept(retention.clicks)),
    'dropping changes of breakdowns': drop('click_breakdown_changes', figureDaysKept(retention.clicks)),
    // No release writes this table. It can be dropped, and its name left out here, once no older control plane makes days of it.
    'dropping visits': drop('click_visits', 3),
    // A click can be named for 90 days of 24 hours, so the oldest may be of one calendar day earlier.
    'dropping open clicks': drop('open_clicks', PLAY_REFERRER_DAYS + 1),
    // No open looks further back than the longest attribution window.
    'dropping devices of clicks': drop('click_devices', ATTRIBUTION_WINDOW_MINUTES_MAX / 1440 + 1),
    'dropping tracked events': drop('tracked_events', retention.events),
    'dropping opens': drop('app_opens', retention.events),
  };
}

/** The steps for tables from which rows are deleted. */
function stepsOfRows(options: MaintenanceOptions): Steps {
  const { database, clock, retention, feedChanged } = options;
  const segmentsKeptFrom = () => clock() - Math.max(retention.clicks, SEGMENT_DAYS_MIN) * DAY_MS;
  const forgetAll = async (forget: (database: Queryable, rowsMax: number) => Promise<number>, { isStopping }: Round): Promise<number> => {
    let sum = 0;
    for (let forgotten = FORGET_ROWS; forgotten === FORGET_ROWS && !isStopping(); sum += forgotten)
      forgotten = await forget(database, FORGET_ROWS);
    return sum;
  };
  return {
    'destroying hash keys': () => destroyOldHashKeys(database),
    'forgetting user agents': () => forgetUserAgents(database, retention.clicks),
    'forgetting installations': (round) => forgetAll((database, rowsMax) => forgetInstalls(database, retention.installs, rowsMax), round),
    'forgetting deleted links': async (round) => {
      if ((await forgetAll(forgetDeletedLinks, round)) > 0) feedChanged();
    },
    'forgetting segments': () => forgetUnfinishedSegments(database, segmentsKeptFrom()),
    'forgetting erased environments': () => forgetErasedEnvironments(database, segmentsKeptFrom()),
    'deleting old batches of clicks': (round) =>
      forgetAll((database, rowsMax) => forgetClickLogBatches(database, BATCHES_KEPT_SECONDS, rowsMax), round),
    'forgetting idempotency keys': (round) => forgetAll(forgetOldKeys, round),
    'forgetting idempotent requests': (round) => forgetAll(forgetEndedRuns, round),
    'forgetting replaced secrets': () => forgetReplacedSecrets(database),
    'forgetting metadata': async (round) => {
      await forgetAll(forgetOldAnswers, round);
      await forgetAll(forgetReplacedAnswers, round);
      await forgetOldFigures(database, METADATA_FIGURES_DAYS);
    },
  };
}

/** Runs every step, even if one fails: a lock that one step cannot get must not keep another from deleting what was promised. */
async function runSteps(steps: Steps, round: Round): Promise<void> {
  const failed = new Map<string, unknown>();
  for (const [step, work] of Object.entries(steps)) {
    try {
      if (!round.isStopping()) await work(round);
    } catch (error) {
      if (error instanceof InvariantError) throw error;
      failed.set(step, error);
    }
  }
  if (failed.size > 0) throw new AggregateError([...failed.values()], `failed: ${[...failed.keys()].join(', ')}`);
}

/** Deletes the texts of user agents whose newest click is no longer in the log. */
async function forgetUserAgents(database: Queryable, daysKept: number): Promise<void> {
  await database.query({
    text: `DELETE FROM user_agents WHERE last_day < (now() AT TIME ZONE 'UTC')::date - $1::integer`,
    values: [daysKept],
  });
}
