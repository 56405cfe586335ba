import type { Queryable } from '../db/database.js';

/** Clicks that a link had at another service, on a day or, if that does not tell days, on all of them. */
export interface ImportedClicks {
  readonly source: string;
  readonly day: string | null;
  readonly clicks: number;
}

export interface ClicksOfLink extends ImportedClicks {
  readonly link_id: string;
}

/** Puts the clicks in the place of those that the links have of the same sources. Of two with one day the last one counts. */
export async function replaceImportedClicks(database: Queryable, given: readonly ClicksOfLink[]): Promise<void> {
  if (given.length === 0) return;
  const rows = [...new Map(given.map((row) => [`${row.link_id} ${row.day} ${row.source}`, row])).values()];
  await database.query({
    text: `
      WITH given AS (
        SELECT * FROM unnest($1::text[] COLLATE "C", $2::text[], $3::date[], $4::bigint[]) AS given (link_id, source, day, clicks)
      ), gone AS (
        DELETE FROM imported_clicks AS old
        WHERE (old.link_id, old.source) IN (SELECT link_id, source FROM given)
          AND NOT EXISTS (
            SELECT FROM given WHERE (given.link_id, given.source) = (old.link_id, old.source) AND given.day IS NOT DISTINCT FROM old.day
          )
      )
      INSERT INTO imported_clicks (link_id, source, day, clicks)
      SELECT given.link_id, given.source, given.day, given.clicks FROM given JOIN links ON links.id = given.link_id
      ORDER BY given.link_id, given.source, given.day
      ON CONFLICT (link_id, source, day) DO UPDATE SET clicks = excluded.clicks`,
    values: [
      rows.map(({ link_id }) => link_id),
      rows.map(({ source }) => source),
      rows.map(({ day }) => day),
      rows.map(({ clicks }) => clicks),
    ],
  });
}

/** Of each source, those with most clicks first. */
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

/** Those of each of the links that has some, by source and day. */
export async function importedClicksOf(
  database: Queryable,
  linkIds: readonly string[],
): Promise<ReadonlyMap<string, readonly ImportedClicks[]>> {
  const { rows } = await database.query<ClicksOfLink>({
    text: `SELECT link_id, source, day::text, clicks::float8 AS clicks FROM imported_clicks WHERE link_id = ANY ($1::text[]) ORDER BY link_id, source, day`,
    values: [linkIds],
  });
  const byLink = new Map<string, ImportedClicks[]>();
  for (const { link_id, ...clicks } of rows) {
    const known = byLink.get(link_id);
    if (known === undefined) byLink.set(link_id, [clicks]);
    else known.push(clicks);
  }
  return byLink;
}
