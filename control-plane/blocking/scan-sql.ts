import type { EnvironmentName, LinkCard } from '../../shared/records/records.js';
import type { Queryable } from '../db/database.js';
import { rowReader } from '../db/row-reader.js';
import type { StoredDestinations } from '../destinations/destination.js';
import { FEED_INSERT } from '../feed/feed-row.js';
import type { GeoDestinations } from '../links/geo.js';
import type { LinkRow } from '../links/link-row.js';
import { linkSelect } from '../links/sql.js';

export interface ScanState {
  /** When the block list last changed; null if it never did. */
  readonly changed_at: Date | null;
  /** When the current scan, or the last one, began. */
  readonly began_at: Date | null;
  /** The last link, or answer of a metadata API, that was checked; null if no scan is in progress. */
  readonly cursor: string | null;
  /** The current time of the database's clock. The other times are by the same clock, because the clocks of control planes may differ. */
  readonly now: Date;
}

/** Locks the state of the scan until the transaction ends; null if another process holds it. */
export async function lockScan(database: Queryable): Promise<ScanState | null> {
  const { rows } = await database.query<ScanState>({
    text: 'SELECT changed_at, began_at, cursor, clock_timestamp() AS now FROM blocklist_scan FOR UPDATE SKIP LOCKED',
    values: [],
  });
  return rows[0] ?? null;
}

/** Starts a scan. Its first cursor is below every id. */
export async function beginScan(database: Queryable): Promise<void> {
  // Never before the change that caused it: after a failover, the database has another host's clock.
  await database.query({ text: `UPDATE blocklist_scan SET cursor = '', began_at = greatest(clock_timestamp(), changed_at)`, values: [] });
}

export async function moveScan(database: Queryable, cursor: string | null): Promise<void> {
  await database.query({ text: 'UPDATE blocklist_scan SET cursor = $1', values: [cursor] });
}

export interface ScannedLink {
  readonly id: string;
  readonly destinations: StoredDestinations;
  readonly card: LinkCard | null;
  readonly geo: GeoDestinations | null;
}

/** Links of every environment that could be blocked, in order of id. */
export async function linksAfter(database: Queryable, linkId: string, rowsMax: number): Promise<readonly ScannedLink[]> {
  const { rows } = await database.query<ScannedLink>({
    text: `SELECT id, destinations, card, geo FROM links WHERE id > $1 AND state IN ('active', 'disabled') ORDER BY id LIMIT $2`,
    values: [linkId, rowsMax],
  });
  return rows;
}

export type LockedLink = LinkRow & { readonly environment_id: string; readonly environment: EnvironmentName; readonly link_host: string };

const SELECT_LINKS = `SELECT ${linkSelect('link')}, environment.id AS environment_id,
             environment.name AS environment, environment.link_host
           FROM links AS link JOIN environments AS environment ON environment.id = link.environment_id`;

/** The links among these that could be blocked, locked against other changes until the transaction ends. */
export async function lockLinks(database: Queryable, ids: readonly string[]): Promise<readonly LockedLink[]> {
  const { rows } = await database.query<LockedLink>({
    text: `${SELECT_LINKS} WHERE link.id = ANY ($1::text[]) AND link.state IN ('active', 'disabled')
           ORDER BY link.id FOR NO KEY UPDATE OF link`,
    values: [ids],
  });
  return rows;
}

/** A link of any environment, in any state except deleted, locked in the same way. */
export const lockLinkInAnyEnvironment = rowReader<LockedLink, [id: string]>({
  text: `${SELECT_LINKS} WHERE link.id = $1 AND link.state <> 'deleted' FOR NO KEY UPDATE OF link`,
});

/** Blocks the links and writes their feed rows. */
export async function blockLinks(database: Queryable, ids: readonly string[], nowMs: number): Promise<void> {
  await database.query({
    text: `WITH link AS (
             UPDATE links SET state = 'blocked', state_before_block = state, updated_at = greatest(updated_at, $2::timestamptz) WHERE id = ANY ($1::text[])
             RETURNING id, environment_id, path
           )
           ${FEED_INSERT}
           SELECT 'link', environment_id, id, path FROM link`,
    values: [ids, new Date(nowMs).toISOString()],
  });
}
