import type { Database, Queryable } from '../../db/database.js';
import { readDaySpan } from '../../local-days/span.js';
import type { CountedGroup } from '../click-groups.js';
import { type ClickCounts, isSameCounts } from '../counts.js';
import type { EnvironmentDay } from '../kept-days.js';
import { countGroups } from '../log/count-groups.js';
import { storedGroups, tagChangesSql } from '../stored-groups.js';
import { readInSnapshot } from '../transaction.js';
import { GROUPS_MAX } from './day-groups.js';

/**
 * Clicks of past days by the tags that links have now. They are counted from the log once a day has its groups (`DayGroups`), and again
 * after tags have changed. Triggers add to `click_tag_changes` if an existing link gets other tags, or if a tag is renamed or deleted.
 * Each day is stored with the sum of the changes that its count has seen, and is read only while that is still the sum. A link that is
 * created with tags changes nothing, because it has no clicks on past days.
 */

/** The least time between two counts of a day, however often the environment's tags change. */
const COUNTED_AGAIN_AFTER = '1 hour';

/** If an environment has more rows of changes than this, they are added up into one. */
const CHANGES_MAX = 1_000;

interface DueDay extends EnvironmentDay, ClickCounts {
  readonly environment_id: string;
  readonly time_zone: string;
  /** Identifies the count of the day's groups. */
  readonly count_id: string;
}

interface CountedTags {
  readonly tagChanges: string;
  /** Null if none are to be kept, because they are too many or the day's clicks in the log differ from its figures. */
  readonly groups: readonly CountedGroup[] | null;
}

/** Counts one day, the latest first. Returns false if there is nothing to count. */
export async function countDayTags(database: Database, nowMs: number): Promise<boolean> {
  await addUpChanges(database);
  const due = await findDueDay(database, nowMs);
  if (due === undefined) return false;
  await store(database, due, await readInSnapshot(database, (snapshot) => count(snapshot, due)), nowMs);
  return true;
}

async function findDueDay(database: Queryable, nowMs: number): Promise<DueDay | undefined> {
  const { rows } = await database.query<DueDay>({
    name: 'due_day_tags',
    text: `
      SELECT counted.environment_number, counted.day::text, counted.count_id, environment.id AS environment_id, project.time_zone,
        counted.clicks::float8 AS "all", counted.human::float8 AS human, counted.visitors::float8 AS "unique"
      FROM click_grouped_days AS counted
      JOIN environments AS environment ON environment.number = counted.environment_number
      JOIN projects AS project ON project.id = environment.project_id
      LEFT JOIN click_day_tags AS kept ON (kept.environment_number, kept.day) = (counted.environment_number, counted.day)
      WHERE counted.clicks IS NOT NULL
        AND (kept.day IS NULL OR (
          kept.tag_changes <> ${tagChangesSql('counted.environment_number')}
          AND kept.counted_at NOT BETWEEN $1::timestamptz - interval '${COUNTED_AGAIN_AFTER}' AND $1
        ))
      ORDER BY counted.day DESC, counted.environment_number
      LIMIT 1`,
    values: [new Date(nowMs).toISOString()],
  });
  return rows[0];
}

async function count(snapshot: Queryable, due: DueDay): Promise<CountedTags> {
  const { environment_number, environment_id, day, time_zone } = due;
  const { rows } = await snapshot.query<{ changes: string }>({
    name: 'read_tag_changes',
    text: `SELECT ${tagChangesSql('$1')}::text AS changes`,
    values: [environment_number],
  });
  const [whole = [], groups = []] = await countGroups(snapshot, {
    range: { environment_number, ...(await readDaySpan(snapshot, day, time_zone)) },
    conditions: ['counted'],
    groupings: [
      { key: 'nothing', limit: 1 },
      { key: { tagsOf: environment_id }, limit: GROUPS_MAX + 1 },
    ],
  });
  const [total] = whole;
  const isDay = total !== undefined && isSameCounts(total, due);
  return { tagChanges: (rows[0] as { changes: string }).changes, groups: isDay && groups.length <= GROUPS_MAX ? groups : null };
}

/** Stores the count, unless the groups of the day are no longer those with which the count began. */
async function store(database: Queryable, due: DueDay, { tagChanges, groups }: CountedTags, nowMs: number): Promise<void> {
  const { environment_number, day, count_id } = due;
  await database.query({
    text: `
      INSERT INTO click_day_tags (environment_number, day, counted_at, tag_changes, groups)
      SELECT environment_number, day, $4, $5, $6::jsonb
      FROM click_grouped_days WHERE environment_number = $1 AND day = $2 AND count_id = $3
      FOR KEY SHARE
      ON CONFLICT (environment_number, day) DO UPDATE
      SET counted_at = EXCLUDED.counted_at, tag_changes = EXCLUDED.tag_changes, groups = EXCLUDED.groups`,
    values: [environment_number, day, count_id, new Date(nowMs).toISOString(), tagChanges, groups && JSON.stringify(storedGroups(groups))],
  });
}

/** Replaces the many rows of an environment by one. The sum stays right even if two processes do so at once: a row is deleted only once. */
async function addUpChanges(database: Queryable): Promise<void> {
  await database.query({
    name: 'add_up_tag_changes',
    text: `
      WITH gone AS (
        DELETE FROM click_tag_changes
        WHERE environment_number IN (SELECT environment_number FROM click_tag_changes GROUP BY environment_number HAVING count(*) > $1)
        RETURNING environment_number, changes
      )
      INSERT INTO click_tag_changes SELECT environment_number, sum(changes) FROM gone GROUP BY environment_number`,
    values: [CHANGES_MAX],
  });
}
