import type { ClientBase } from 'pg';
import { LINK_RECORD_COLUMNS, type LinkRow } from '../../shared/feed/codec.js';

/** A link with the number that its key in the store begins with. */
export interface NumberedLinkRow extends LinkRow {
  readonly environment_number: number;
}

const SELECT_LINKS = `SELECT ${LINK_RECORD_COLUMNS}, environments.number AS environment_number
  FROM links JOIN environments ON environments.id = links.environment_id`;

/** The links of these ids that exist, in no order. */
export async function readLinksById(client: ClientBase, ids: readonly string[]): Promise<readonly NumberedLinkRow[]> {
  const { rows } = await client.query<NumberedLinkRow>({
    name: 'read_links_by_id',
    text: `${SELECT_LINKS} WHERE links.id = ANY ($1::text[])`,
    values: [ids],
  });
  return rows;
}

/** Every link, for a cursor. The order is that of a unique index, and nearly that of the store's keys: numbers and ids of environments grow together. */
export const SCAN_LINKS = `${SELECT_LINKS} ORDER BY links.environment_id, links.path`;
