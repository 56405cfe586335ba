import type { ExportFormat } from '../../shared/contract/schemas/export.js';
import type { Database, Queryable } from '../db/database.js';
import { allowPauses } from '../db/pauses.js';
import { type ClickRow, lineOf } from './exported-click.js';
import { type DayPart, dayParts, type Span } from './span.js';
import { TypeKeys } from './type-keys.js';

/** The last click that an export has written. */
export interface ExportPosition {
  readonly occurred_at: Date;
  /** As `uuid`. */
  readonly id: string;
}

export interface ExportWanted {
  readonly environmentNumber: number;
  readonly span: Span;
  readonly format: ExportFormat;
  /** Clicks up to this one are left out. */
  readonly after: ExportPosition | null;
  /** Takes some lines; the next ones are fetched when it resolves. */
  readonly write: (text: string) => Promise<void>;
  readonly onProgress?: (done: number, of: number) => void;
}

/** Rows of one fetch: some 300 KB of text. */
const FETCH_ROWS = 1000;

/**
 * Writes the clicks of an environment in the order of their time, through a cursor: the memory it takes does not grow with
 * their number. Each day of the log is read as it is at one moment. Returns how many clicks were written.
 */
export async function exportClicks(database: Database, wanted: ExportWanted): Promise<number> {
  const { after, span, onProgress } = wanted;
  const rest = after === null ? span : { from: after.occurred_at > span.from ? after.occurred_at : span.from, to: span.to };
  const parts = dayParts(rest);
  const typeKeys = new TypeKeys();
  let clicks = 0;
  for (const [done, part] of parts.entries()) {
    clicks += await database.transaction((transaction) => exportPart(transaction, wanted, part, typeKeys));
    onProgress?.(done + 1, parts.length);
  }
  return clicks;
}

async function exportPart(database: Queryable, wanted: ExportWanted, part: DayPart, typeKeys: TypeKeys): Promise<number> {
  // A reader may be slow.
  await allowPauses(database);
  await openCursor(database, wanted, part);
  for (let clicks = 0; ; ) {
    const { rows } = await database.query<ClickRow>({ text: `FETCH ${FETCH_ROWS} FROM exported_clicks`, values: [] });
    if (rows.length === 0) return clicks;
    const typed = await typeKeys.named(database, rows);
    await wanted.write(typed.map((row) => lineOf(row, wanted.format)).join(''));
    clicks += rows.length;
  }
}

async function openCursor(database: Queryable, { environmentNumber, after }: ExportWanted, { from, to }: DayPart): Promise<void> {
  // A day is sorted: in memory, as far as it fits.
  await database.query({ text: `SET LOCAL work_mem = '64MB'`, values: [] });
  await database.query({
    text: `
      DECLARE exported_clicks NO SCROLL CURSOR FOR
      SELECT click.id, date_trunc('milliseconds', occurred_at) AS occurred_at, kind, subject_id, resource_type_id, item_id, host, path,
        platform, os_version, in_app_browser, os, browser, browser_version, bot, bot_reason, country, region, city, source, referrer_host,
        campaign, utm_source, utm_medium, utm_campaign, utm_term, utm_content, params, params_dropped, destination, agent.user_agent, address_hash, visitor_hash
      FROM clicks AS click
      LEFT JOIN user_agents AS agent ON agent.user_agent_hash = click.user_agent_hash
      WHERE occurred_at >= $1 AND occurred_at < $2 AND environment_number = $3
        AND ($4::timestamptz IS NULL OR (date_trunc('milliseconds', occurred_at), click.id) > ($4, $5::uuid))
      ORDER BY date_trunc('milliseconds', occurred_at), click.id`,
    values: [from, to, environmentNumber, after?.occurred_at ?? null, after?.id ?? null],
  });
}
