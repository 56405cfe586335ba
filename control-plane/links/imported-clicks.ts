import type { Queryable } from '../db/database.js';

/** Clicks that a link had at another service: on one day, or on all days if that service does not report days. */
export interface ImportedClicks {
  readonly source: string;
  readonly day: string | null;
  readonly clicks: number;
}

export interface ClicksOfLink extends ImportedClicks {
  readonly link_id: string;
}

const GIVEN = `SELECT * FROM unnest($1::text[] COLLATE "C", $2::text[], $3::date[], $4::bigint[]) AS given (link_id, source, day, clicks)`;

/** A repeated import may have stored these rows in the meantime. The clicks that are written last count. */
const INSERT_GIVEN = `INSERT INTO imported_clicks (link_id, source, day, clicks)
      SELECT given.link_id, given.source, given.day, given.clicks
      FROM given, LATERAL (SELECT FROM links WHERE links.id = given.link_id LIMIT 1) AS link
      ORDER BY given.link_id, given.source, given.day
      ON CONFLICT (link_id, source, day) DO UPDATE SET clicks = excluded.clicks`;

/** Of two rows for the same link, day and source, the last one counts. */
function columnsOf(given: readonly ClicksOfLink[]): readonly unknown[] {
  const rows = [...new Map(given.map((row) => [`${row.link_id} ${row.day} ${row.source}`, row])).values()];
  return [
    rows.map(({ link_id }) => link_id),
    rows.map(({ source }) => source),
    rows.map(({ day }) => day),
    rows.map(({ clicks }) => clicks),
  ];
}

/** Adds clicks of links that were created just now. They have none yet, so nothing is looked up. */
export async function addImportedClicks(database: Queryable, given: readonly ClicksOfLink[]): Promise<void> {
  await database.query({ name: 'add_imported_clicks', text: `WITH given AS (${GIVEN}) ${INSERT_GIVEN}`, values: columnsOf(given) });
}

/** Replaces the clicks that the links have from the same sources. */
export async function replaceImportedClicks(database: Queryable, given: readonly ClicksOfLink[]): Promise<void> {
  await database.query({
    text: `
      WITH given AS (${GIVEN}), gone AS (
        DELETE FROM imported_clicks AS old
        WHERE (old.link_id, old.source) IN (SELECT link_id, source FROM given)
          AND NOT EXISTS (
            SELECT FROM given WHERE (given.link_id, given.source) = (old.link_id, old.source) AND given.day IS NOT DISTINCT FROM old.day
          )
      )
      ${INSERT_GIVEN}`,
    values: columnsOf(given),
  });
}

/** The clicks of the link by source, most clicks first. */
export async function sumImportedClicks(
  database: Queryable,
  linkId: string,
): Promise<readonly { readonly source: string; readonly clicks: number }[]> {
  const { rows } = await database.query<{ source: string; clicks: number }>({
    name: 'sum_imported_clicks',
    text: `SELECT source, sum(clicks)::float8 AS clicks FROM imported_clicks WHERE link_id = $1 GROUP BY source ORDER BY clicks DESC, source`,
    values: [linkId],
  });
  return rows;
}

/** The imported clicks of the first of some links. */
export interface ClicksOfFirst {
  /** How many of the links were read. */
  readonly links: number;
  /** By link, in the order of source and day. A link without any is not in it. */
  readonly clicks: ReadonlyMap<string, readonly ImportedClicks[]>;
}

/**
 * Reads the imported clicks of as many of the links, from the first one on, as have at most `rowsMax` rows together, but at least of one. A
 * link may have a row for each of 3,660 days, so those of a thousand links at once would take too long and too much memory.
 */
export async function importedClicksOf(database: Queryable, linkIds: readonly string[], rowsMax: number): Promise<ClicksOfFirst> {
  const rows = await clickRows(database, linkIds, rowsMax + 1);
  const past = rows.length > rowsMax ? linkIds.indexOf(rows[rowsMax]?.link_id as string) : linkIds.length;
  if (past === 0) return { links: 1, clicks: byLink(await clickRows(database, linkIds.slice(0, 1), null)) };
  const clicks = new Map(byLink(rows));
  if (past < linkIds.length) clicks.delete(linkIds[past] as string);
  return { links: past, clicks };
}

async function clickRows(database: Queryable, linkIds: readonly string[], limit: number | null): Promise<readonly ClicksOfLink[]> {
  const { rows } = await database.query<ClicksOfLink>({
    name: 'imported_clicks_of',
    // Looks up one link after the other, so that the rows past the limit are not read.
    text: `SELECT asked.link_id, found.source, found.day, found.clicks
           FROM unnest($1::text[]) WITH ORDINALITY AS asked (link_id, place), LATERAL (
             SELECT source, day::text, clicks::float8 AS clicks FROM imported_clicks
             WHERE imported_clicks.link_id = asked.link_id OFFSET 0) AS found
           ORDER BY asked.place, found.source, found.day LIMIT $2`,
    values: [linkIds, limit],
  });
  return rows;
}

function byLink(rows: readonly ClicksOfLink[]): ReadonlyMap<string, readonly ImportedClicks[]> {
  const found = new Map<string, ImportedClicks[]>();
  for (const { link_id, ...clicks } of rows) {
    const known = found.get(link_id);
    if (known === undefined) found.set(link_id, [clicks]);
    else known.push(clicks);
  }
  return found;
}
