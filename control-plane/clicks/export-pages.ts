import type { Database, Queryable } from '../db/database.js';
import type { Span } from '../local-days/span.js';
import type { ClickRow } from './exported-click.js';

/** The last click that an export has written. */
export interface ExportPosition {
  readonly occurred_at: Date;
  /** As `uuid`. */
  readonly id: string;
}

/** Number of clicks of one page, about 6 MB. */
export const PAGE_ROWS = 10_000;

/** The clicks of a time span, and where they are in the log. */
export interface Slice {
  readonly part: Span;
  /** The first and the last batch that hold any of them; null if unknown. */
  readonly batches: readonly [bigint, bigint] | null;
}

export interface PageWanted extends Slice {
  readonly environmentNumber: number;
  /** Clicks up to and including this one are left out. */
  readonly after: ExportPosition | null;
}

/** Reads the first clicks of the slice in the order of their time: `PAGE_ROWS`, or all if there are fewer. */
export async function readPage(database: Database, { environmentNumber, part, batches, after }: PageWanted): Promise<readonly ClickRow[]> {
  return database.transaction(async (transaction) => {
    // A page must be sorted in memory, and found by the index of batches: in a partition that has not been analyzed yet, reading all of it
    // looks as cheap.
    await transaction.query({
      name: 'plan_exported_page',
      text: `SELECT set_config('work_mem', '64MB', true), set_config('enable_seqscan', $1, true), set_config('jit', 'off', true)`,
      values: [batches === null ? 'on' : 'off'],
    });
    const { rows } = await transaction.query<ClickRow>({
      text: `
        SELECT click.*, agent.user_agent
        FROM (
          SELECT id, date_trunc('milliseconds', occurred_at) AS occurred_at, kind, subject_id, resource_type_id, item_id, host, path,
            platform, os_version, in_app_browser, os, browser, browser_version, bot, bot_reason, country, region, city, source,
            referrer_host, campaign, utm_source, utm_medium, utm_campaign, utm_term, utm_content, params, params_dropped, destination,
            user_agent_hash, address_hash, visitor_hash
          FROM clicks
          WHERE occurred_at >= $1 AND occurred_at < $2 AND environment_number = $3
            AND ($4::timestamptz IS NULL OR (date_trunc('milliseconds', occurred_at), id) > ($4, $5::uuid))
            AND ($6::bigint IS NULL OR batch_id BETWEEN $6 AND $7::bigint)
          ORDER BY date_trunc('milliseconds', clicks.occurred_at), id
          LIMIT $8
        ) AS click
        LEFT JOIN user_agents AS agent ON agent.user_agent_hash = click.user_agent_hash
        ORDER BY click.occurred_at, click.id`,
      values: [
        part.from,
        part.to,
        environmentNumber,
        after?.occurred_at ?? null,
        after?.id ?? null,
        ...(batches?.map(String) ?? [null, null]),
        PAGE_ROWS,
      ],
    });
    return rows;
  });
}

/** The resolution of the times of slices. Up to 1,000 clicks a second, a step has less than a page. */
const STEP_SECONDS = 10;

interface StepRow {
  readonly from_at: Date;
  readonly clicks: number;
  readonly first: string;
  readonly last: string;
}

/** Divides the part into slices, in order, each with less than a page or with the clicks of one step. */
export async function readSlices(database: Queryable, environmentNumber: number, part: Span): Promise<readonly Slice[]> {
  const { rows } = await database.query<StepRow>({
    text: `
      SELECT date_bin(make_interval(secs => $4), occurred_at, 'epoch') AS from_at, count(*)::integer AS clicks,
        min(batch_id) AS first, max(batch_id) AS last
      FROM clicks
      WHERE occurred_at >= $1 AND occurred_at < $2 AND environment_number = $3
      GROUP BY 1
      ORDER BY 1`,
    values: [part.from, part.to, environmentNumber, STEP_SECONDS],
  });
  const slices: { part: Span; batches: readonly [bigint, bigint]; clicks: number }[] = [];
  for (const { from_at, clicks, ...row } of rows) {
    const [first, last] = [BigInt(row.first), BigInt(row.last)];
    const to = new Date(Math.min(from_at.getTime() + STEP_SECONDS * 1000, part.to.getTime()));
    const open = slices.at(-1);
    if (open === undefined || open.clicks + clicks >= PAGE_ROWS)
      slices.push({ part: { from: from_at, to }, batches: [first, last], clicks });
    else {
      open.part = { from: open.part.from, to };
      open.batches = [first < open.batches[0] ? first : open.batches[0], last > open.batches[1] ? last : open.batches[1]];
      open.clicks += clicks;
    }
  }
  return slices;
}
