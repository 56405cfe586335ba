import type { ClickDimension } from '../../../shared/contract/schemas/clicks-query.js';
import type { Queryable } from '../../db/database.js';
import { daysOf, type StatsWindow } from '../../local-days/window.js';
import type { CountedGroup } from '../click-groups.js';
import { countedGroups, type StoredGroup, tagChangesSql } from '../stored-groups.js';

/** Groups by the tags that links have now (`countDayTags`), without those that were counted before a tag changed. */
const KEPT_TAGS = `SELECT environment_number, day, groups FROM click_day_tags WHERE groups IS NOT NULL AND tag_changes = ${tagChangesSql('$1')}`;

/** Returns the stored groups of the days of the window, by day. A day without clicks has an empty list; a day without groups is missing. */
export async function readDayGroups(
  snapshot: Queryable,
  window: StatsWindow,
  field: ClickDimension,
): Promise<ReadonlyMap<string, readonly CountedGroup[]>> {
  const isTag = field === 'tag';
  const { rows } = await snapshot.query<{ day: string; groups: readonly StoredGroup[] }>({
    text: `
      SELECT asked.day::text, coalesce(kept.groups, '[]') AS groups
      FROM unnest($2::date[]) AS asked (day)
      LEFT JOIN (
        SELECT day, clicks, human, visitors FROM click_figures WHERE environment_number = $1 AND dimension = 'total' AND day = ANY ($2::date[])
      ) AS total USING (day)
      LEFT JOIN click_grouped_days AS counted ON counted.environment_number = $1 AND counted.day = asked.day
        AND (counted.clicks, counted.human, counted.visitors) = (total.clicks, total.human, total.visitors)
      LEFT JOIN (${isTag ? KEPT_TAGS : 'SELECT environment_number, day, groups FROM click_day_groups WHERE field = $3'}) AS kept
        ON kept.environment_number = $1 AND kept.day = counted.day
      WHERE total.day IS NULL OR kept.day IS NOT NULL`,
    values: [window.environment_number, daysOf(window), ...(isTag ? [] : [field])],
  });
  return new Map(rows.map(({ day, groups }) => [day, countedGroups(groups)]));
}
