import type { Queryable } from '../../db/database.js';
import type { StatsWindow } from '../../local-days/window.js';

/** Clicks by people on a link on one day. */
export interface LinkDay {
  /** The link, as `uuid`. */
  readonly subject_id: string;
  readonly day: string;
  readonly human: number;
}

/**
 * Returns the clicks by people on each of the links (as `uuid`) on each day of the window; days without clicks are left out. One statement
 * serves a page of links. It looks up the days' figures by their primary key, for a hundred links some 3,000 times.
 */
export async function readLinkDays(
  database: Queryable,
  { environment_number, from, to }: StatsWindow,
  links: readonly string[],
): Promise<readonly LinkDay[]> {
  const { rows } = await database.query<LinkDay>({
    text: `
      SELECT subject_id, day::text, sum(human)::float8 AS human FROM click_figures
      WHERE environment_number = $1 AND dimension = 'link' AND campaign = ''
        AND subject_id = ANY ($2::uuid[]) AND day BETWEEN $3::date AND $4::date AND human > 0
      GROUP BY subject_id, day`,
    values: [environment_number, links, from, to],
  });
  return rows;
}
