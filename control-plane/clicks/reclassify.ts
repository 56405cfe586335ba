import { dayBefore } from '../../shared/base/day-ranges.js';
import { recountDay, type ZoneDay } from '../click-figures/counting/recount-day.js';
import { ensureFigurePartitions } from '../click-figures/counting/store-figures.js';
import { lockShardsOf } from '../click-figures/locks/shard-locks.js';
import { giveTurn } from '../click-figures/locks/turns.js';
import { readLogStart } from '../click-figures/log/log-days.js';
import { forgetColumns } from '../click-figures/prepared/begun-days.js';
import type { Database, Queryable } from '../db/database.js';
import { createParameters, type Parameters } from '../db/parameters.js';
import { allowPauses } from '../db/pauses.js';
import { dayParts, readDaySpan, type Span } from '../local-days/span.js';

/** Selects the clicks that were made by a program. */
export type ClickSelector =
  /** `user_agents.user_agent_hash`. */
  | { readonly by: 'user_agent'; readonly hashes: readonly string[] }
  /** `clicks.address_hash`; a hash is valid only on its own day. */
  | { readonly by: 'address'; readonly hashes: readonly Buffer[] };

export interface Reclassification {
  readonly span: Span;
  /** Null for all environments. */
  readonly environmentNumber: number | null;
  readonly selector: ClickSelector;
  readonly botReason: string;
  /** First day that has figures. */
  readonly keptFrom: string;
}

/** The reclassified clicks of a day of the log. */
export interface ReclassifiedDay {
  /** UTC. */
  readonly day: string;
  readonly clicks: number;
  /** Their visitors; a visitor counts once for each day of the project. */
  readonly visitors: number;
}

export interface UserAgentMatch {
  readonly user_agent_hash: string;
  readonly user_agent: string;
}

/** Returns the user agents whose text matches the PostgreSQL regular expression, ignoring case. */
export async function matchUserAgents(database: Queryable, pattern: string): Promise<readonly UserAgentMatch[]> {
  const { rows } = await database.query<UserAgentMatch>({
    text: 'SELECT user_agent_hash, user_agent FROM user_agents WHERE user_agent ~* $1 ORDER BY user_agent',
    values: [pattern],
  });
  return rows;
}

/** Counts what `reclassifyClicks` would change, day by day. */
export async function countSelected(database: Database, wanted: Reclassification): Promise<readonly ReclassifiedDay[]> {
  const days: ReclassifiedDay[] = [];
  for (const part of dayParts(wanted.span)) {
    const parameters = createParameters();
    const { rows } = await database.query<Omit<ReclassifiedDay, 'day'>>({
      text: `SELECT count(*)::float8 AS clicks, count(DISTINCT visitor_hash)::float8 AS visitors
             FROM clicks WHERE ${selectorSql(wanted, part, parameters)}`,
      values: parameters.values,
    });
    days.push({ day: part.day, ...(rows[0] as (typeof rows)[number]) });
  }
  return days.filter(({ clicks }) => clicks > 0);
}

/**
 * Marks clicks as made by a program, and updates every figure. A day of the log and the figures of the days to which its clicks
 * belong are changed in one transaction. So whatever crashes and when, log and figures agree, and the next run finds what is left.
 * Webhooks for these clicks have been sent already; apps are no longer matched to them.
 */
export async function* reclassifyClicks(database: Database, wanted: Reclassification): AsyncGenerator<ReclassifiedDay> {
  const environmentNumbers = wanted.environmentNumber === null ? null : [wanted.environmentNumber];
  for (const [index, part] of dayParts(wanted.span).entries()) {
    if (index > 0) await giveTurn(database, environmentNumbers);
    // The projects' days that overlap this part.
    const days = [dayBefore(part.from.getTime(), 1), part.day, dayBefore(part.from.getTime(), -1)].filter((day) => day >= wanted.keptFrom);
    await ensureFigurePartitions(database, days);
    yield await database.transaction(async (transaction) => {
      // Putting together the figures of a busy day takes a while, during which the transaction is idle.
      await allowPauses(transaction);
      await lockShardsOf(transaction, environmentNumbers);
      const changed = await markSelected(transaction, wanted, part);
      for (const zoneDay of changed.zoneDays) await recountChanged(transaction, zoneDay, wanted);
      return { day: part.day, clicks: changed.clicks, visitors: changed.visitors };
    });
  }
}

/** Recounts a changed day if it has figures. Figures of a day that begins before the log does cannot be recounted, and stay. */
async function recountChanged(database: Database, zoneDay: ZoneDay, { keptFrom }: Reclassification): Promise<void> {
  const { day, time_zone } = zoneDay;
  await forgetColumns(database, zoneDay);
  if (day < keptFrom || (await readDaySpan(database, day, time_zone)).from < (await readLogStart(database))) return;
  await recountDay(database, zoneDay);
}

/** A condition over `clicks` that selects those of the part that are to be changed. */
function selectorSql({ selector, environmentNumber }: Reclassification, part: Span, { add }: Parameters): string {
  return [
    `occurred_at >= ${add(part.from)} AND occurred_at < ${add(part.to)} AND NOT bot`,
    ...(environmentNumber === null ? [] : [`environment_number = ${add(environmentNumber)}`]),
    selector.by === 'user_agent'
      ? `user_agent_hash = ANY (${add(selector.hashes)}::bigint[])`
      : `address_hash = ANY (${add(selector.hashes)}::bytea[])`,
  ].join(' AND ');
}

interface Marked {
  readonly clicks: number;
  readonly visitors: number;
  readonly zoneDays: readonly ZoneDay[];
}

async function markSelected(database: Queryable, wanted: Reclassification, part: Span): Promise<Marked> {
  const parameters = createParameters();
  const { rows } = await database.query<ZoneDay & { readonly clicks: number; readonly visitors: number }>({
    text: `
      WITH marked AS (
        UPDATE clicks SET bot = true, bot_reason = ${parameters.add(wanted.botReason)}
        WHERE ${selectorSql(wanted, part, parameters)}
        RETURNING id, occurred_at, environment_number, visitor_hash
      ), unmatched AS (
        DELETE FROM open_clicks AS candidate USING marked WHERE candidate.id = marked.id AND candidate.occurred_at = marked.occurred_at
      ), untold AS (
        DELETE FROM click_devices AS device USING marked WHERE device.click_id = marked.id AND device.occurred_at = marked.occurred_at
      )
      SELECT project.time_zone, local.day::text, array_agg(DISTINCT marked.environment_number) AS environment_numbers,
        count(*)::float8 AS clicks, count(DISTINCT marked.visitor_hash)::float8 AS visitors
      FROM marked
      JOIN environments AS environment ON environment.number = marked.environment_number
      JOIN projects AS project ON project.id = environment.project_id
      CROSS JOIN LATERAL (SELECT (marked.occurred_at AT TIME ZONE project.time_zone)::date AS day) AS local
      GROUP BY project.time_zone, local.day`,
    values: parameters.values,
  });
  const sum = (of: 'clicks' | 'visitors') => rows.reduce((total, row) => total + row[of], 0);
  return { clicks: sum('clicks'), visitors: sum('visitors'), zoneDays: rows };
}
