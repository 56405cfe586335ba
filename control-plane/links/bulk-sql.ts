import { PATH_RESERVATION_DAYS } from '../../shared/base/limits.js';
import { LINK_FIELD_NAMES, LINK_FIELDS } from '../../shared/records/link-fields.js';
import type { EventRow } from '../../shared/webhooks/body.js';
import { arrayLiteral } from '../db/array-literal.js';
import type { Queryable } from '../db/database.js';
import { insertEvents } from '../events/emit.js';
import { FEED_INSERT_CREATED } from '../feed/feed-row.js';
import { FIELD_COLUMNS, fieldColumns, storedValue } from './field-sql.js';
import type { LinkRow } from './link-row.js';
import { keepsAddresses } from './release-addresses.js';
import { isAlias } from './sql.js';

/** A link and its event. */
export interface NewLink {
  readonly row: LinkRow;
  /** The host that the link is shown on. */
  readonly host: string;
  readonly event: EventRow;
}

/** How the parameters of a column are sent. JSON is sent as text. */
const SENT_AS = {
  ...{ text: 'text', password: 'text', boolean: 'boolean', timestamptz: 'timestamptz', integer: 'integer' },
  ...{ json: 'text', destinations: 'text', card: 'text', tags: 'text', aliases: 'text', geo: 'text' },
} as const;

const FIELDS = LINK_FIELD_NAMES.join(', ');
const FIELDS_GIVEN = LINK_FIELD_NAMES.map((name, index) => `$${index + 8}::${SENT_AS[LINK_FIELDS[name].type]}[]`).join(', ');
const FIELDS_STORED = LINK_FIELD_NAMES.map((name) => (name === 'tags' ? 'tags::integer[]' : storedValue(name, name, '$1'))).join(', ');

/**
 * Inserts links and feed rows in one statement, under `lockAddresses`, and their events. Returns the ids of the links that were inserted.
 * A link whose path is taken, or whose address is an alias of another link, is skipped and leaves no event. Rows are inserted in the order
 * of their paths, so that two calls that want the same paths wait for each other in one order and cannot deadlock.
 */
export async function insertLinks(
  database: Queryable,
  environmentId: string,
  links: readonly NewLink[],
  tagNumbers: ReadonlyMap<string, number>,
): Promise<ReadonlySet<string>> {
  const column = (read: (link: NewLink) => string | null): string => arrayLiteral(links.map(read));
  const { rows } = await database.query<{ id: string }>({
    name: 'insert_links',
    text: `WITH given AS (
             SELECT * FROM unnest($2::text[], $3::text[], $4::timestamptz[], $5::text[], $6::text[], $7::text[], ${FIELDS_GIVEN})
             AS g (id, path, created_at, state, host, created_by, ${FIELDS})
           ), link AS (
             INSERT INTO links (id, environment_id, path, state, created_at, updated_at, created_by, ${FIELD_COLUMNS})
             SELECT id, $1, path, state, created_at, created_at, created_by, ${FIELDS_STORED}
             FROM given
             WHERE NOT ${isAlias('$1', 'given.host', 'given.path')}
             ORDER BY path COLLATE "C"
             ON CONFLICT (environment_id, path) DO NOTHING
             RETURNING id, path
           ), feed AS (
             ${FEED_INSERT_CREATED} SELECT true, 'link', $1, id, path FROM link
           )
           SELECT id FROM link`,
    values: [
      environmentId,
      column(({ row }) => row.id),
      column(({ row }) => row.path),
      column(({ row }) => row.created_at.toISOString()),
      column(({ row }) => row.state),
      column(({ host }) => host),
      column(({ row }) => row.created_by),
      ...fieldColumns(
        links.map(({ row }) => row),
        tagNumbers,
      ),
    ],
  });
  const inserted = new Set(rows.map(({ id }) => id));
  await insertEvents(
    database,
    links.filter(({ row }) => inserted.has(row.id)).map(({ event }) => event),
  );
  return inserted;
}

/** A path that a link is to get, and the host that the link is to be shown on. */
export interface WantedPath {
  readonly path: string;
  readonly host: string;
}

/** What has an address (`host/path`): a link has the path, another link has the address as an alias, or only links that may be released. */
export type AddressOwner = 'path' | 'alias' | 'releasable';

/** Returns the owners of the addresses that have one. */
export async function addressOwners(
  database: Queryable,
  environmentId: string,
  wanted: readonly WantedPath[],
): Promise<ReadonlyMap<string, AddressOwner>> {
  if (wanted.length === 0) return new Map();
  const { rows } = await database.query<WantedPath & { has_path: boolean | null; has_alias: boolean | null }>({
    name: 'address_owners',
    // Looks up one after the other in the indexes: for so many at once, PostgreSQL would rather read the whole table, up to some 100,000
    // links.
    text: `SELECT asked.path, asked.host, link.kept AS has_path, alias.kept AS has_alias
           FROM unnest($2::text[], $3::text[]) AS asked (path, host)
           LEFT JOIN LATERAL (
             SELECT ${keepsAddresses('$4')} AS kept FROM links WHERE environment_id = $1 AND links.path = asked.path LIMIT 1) AS link ON true
           LEFT JOIN LATERAL (
             SELECT ${keepsAddresses('$4')} AS kept FROM link_aliases JOIN links ON links.id = link_id
             WHERE link_aliases.environment_id = $1 AND link_aliases.host = asked.host AND normal_path = asked.path LIMIT 1) AS alias ON true
           WHERE link.kept IS NOT NULL OR alias.kept IS NOT NULL`,
    values: [environmentId, wanted.map(({ path }) => path), wanted.map(({ host }) => host), PATH_RESERVATION_DAYS],
  });
  const ownerOf = ({ has_path, has_alias }: (typeof rows)[number]) => (has_path ? 'path' : has_alias ? 'alias' : 'releasable');
  return new Map(rows.map((row) => [`${row.host}/${row.path}`, ownerOf(row)]));
}
