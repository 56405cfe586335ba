import { LINK_CLICKS_STEP_LINKS } from '../../../shared/base/limits.js';
import type { ClickHouse } from '../../../shared/clickhouse/connection.js';
import { LINK_CLICKS_DAYS } from '../../../shared/contract/schemas/link-list.js';
import { type LogRange, readLogRange } from '../../click-figures/click-groups.js';
import { type Counted, FIRST, storeCounted } from '../../click-figures/prepared/link-clicks.js';
import type { Queryable } from '../../db/database.js';
import { readWindow } from '../../local-days/window.js';
import { rangeSql, uuidOf, Values } from './sql.js';

/** Time between two rounds of an environment if clicks are added up from the rows of clicks and not from figures. */
const ROWS_ROUND_MINUTES = 10;

/** Adds up the clicks by people on each link of one environment, by which lists of links are sorted. Returns false if none is due. */
export async function addUpLinkRows(clickHouse: ClickHouse, database: Queryable, nowMs: number): Promise<boolean> {
  const environment = await takeRowsRound(database);
  if (environment === null) return false;
  const range = await readLogRange(database, await readWindow(database, environment.id, { days: LINK_CLICKS_DAYS }, nowMs));
  for (let after: string | null = FIRST; after !== null; ) {
    const counted = await readCounted(clickHouse, range, after);
    const last: string | null = counted.length < LINK_CLICKS_STEP_LINKS ? null : (counted.at(-1)?.subject_id ?? null);
    await storeCounted(database, { environment_number: environment.number, after, last }, counted);
    after = last;
  }
  return true;
}

/** Reads the next links that people have clicked on. */
async function readCounted(clickHouse: ClickHouse, range: LogRange, after: string): Promise<readonly Counted[]> {
  const values = new Values();
  const rows = await clickHouse.rows<{ subject: string; human: string }>(
    `SELECT hex(subject_id) AS subject, count() AS human FROM clicks
     WHERE ${rangeSql(range, values)} AND kind = 'link' AND NOT bot AND subject_id > toFixedString(${values.addUuid(after)}, 16)
     GROUP BY subject_id ORDER BY subject_id LIMIT ${values.add('UInt64', LINK_CLICKS_STEP_LINKS)}`,
    values.values,
  );
  return rows.map(({ subject, human }) => ({ subject_id: uuidOf(subject), human }));
}

/** Takes the environment whose clicks were added up longest ago, for a round that counts rows of clicks. Returns null if none is due. */
async function takeRowsRound(database: Queryable): Promise<{ readonly number: number; readonly id: string } | null> {
  const { rows } = await database.query<{ number: number; id: string }>({
    name: 'take_link_click_round',
    text: `
      WITH taken AS (
        INSERT INTO link_click_rounds AS round (environment_number, version, last_day, sums, began_at, ended_at)
        SELECT number, 0, current_date, '', now(), now()
        FROM environments LEFT JOIN link_click_rounds AS before ON before.environment_number = number
        WHERE before.ended_at IS NULL OR before.ended_at < now() - make_interval(mins => $1)
        ORDER BY before.ended_at NULLS FIRST, number LIMIT 1
        ON CONFLICT (environment_number) DO UPDATE SET reached = NULL, began_at = excluded.began_at, ended_at = excluded.ended_at
        WHERE round.ended_at < excluded.ended_at - make_interval(mins => $1)
        RETURNING environment_number
      )
      SELECT number, id FROM environments JOIN taken ON taken.environment_number = number`,
    values: [ROWS_ROUND_MINUTES],
  });
  return rows[0] ?? null;
}
