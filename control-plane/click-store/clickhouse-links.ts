import { LINK_CLICKS_STEP_LINKS } from '../../shared/base/limits.js';
import type { ClickHouse } from '../../shared/clickhouse/connection.js';
import { LINK_CLICKS_DAYS } from '../../shared/contract/schemas/link-list.js';
import { type Counted, FIRST, storeCounted, takeRowsRound } from '../click-figures/link-clicks.js';
import { type LogRange, readLogRange } from '../click-figures/log-query.js';
import { readStatsWindow } from '../click-figures/window.js';
import type { Queryable } from '../db/database.js';
import { rangeSql, uuidOf, Values } from './clickhouse-sql.js';

/** Adds up the clicks by people on each link of one environment, by which lists of links are sorted. Returns false if none is due. */
export async function addUpLinkRows(clickHouse: ClickHouse, database: Queryable, nowMs: number): Promise<boolean> {
  const environment = await takeRowsRound(database);
  if (environment === null) return false;
  const range = await readLogRange(database, await readStatsWindow(database, environment.id, LINK_CLICKS_DAYS, nowMs));
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
