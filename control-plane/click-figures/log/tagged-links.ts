import type { Queryable } from '../../db/database.js';
import { createParameters, type Parameters } from '../../db/parameters.js';
import { Dictionary, uuidBytes } from '../columns/dictionary.js';
import { type LinkTags, linkTags } from '../columns/link-tags.js';

/** Links by their current tags, as parts of statements on the click log. They are joined in the database, however many they are. */

/** Crockford's base32 digits, and characters with consecutive codes that replace them. */
const CROCKFORD = '0123456789abcdefghjkmnpqrstvwxyz';
const DIGITS = String.fromCharCode(...Array.from(CROCKFORD, (_, value) => '0'.charCodeAt(0) + value));

/** The hexadecimal digits of `characters` base32 digits, 5 bits each, starting at `place`, as SQL. */
function hexSql(place: number, characters: number, hexDigits: number): string {
  const values = Array.from({ length: characters }, (_, index) => {
    const value = `(get_byte(digits, ${place + index}) - ${'0'.charCodeAt(0)})::bigint`;
    return `(${value} << ${5 * (characters - 1 - index)})`;
  });
  return `lpad(to_hex(${values.join(' | ')}), ${hexDigits}, '0')`;
}

/** The `uuid` of a link's id (`shared/base/ids`): 26 base32 digits, of which the first two bits are 0. */
const UUID = `(${hexSql(0, 2, 2)} || ${hexSql(2, 8, 10)} || ${hexSql(10, 8, 10)} || ${hexSql(18, 8, 10)})::uuid`;

/** OFFSET 0 makes PostgreSQL compute `digits` once per row, and not once for each use. */
function uuidsOf(columns: string, from: string): string {
  return `(SELECT ${UUID} AS link${columns} FROM (
    SELECT translate(substr(link_id, 5), '${CROCKFORD}', '${DIGITS}')::bytea AS digits${columns} FROM ${from} OFFSET 0
  ) AS own)`;
}

function linksOf(environmentId: string, { add }: Parameters): string {
  return `environment_number = (SELECT number FROM environments WHERE id = ${add(environmentId)}) AND tag_numbers <> '{}'`;
}

/** A subquery with the columns `link` and `tag`: each link of the environment with each of its tags. */
export function taggingsSql(environmentId: string, parameters: Parameters): string {
  return uuidsOf(
    ', tag',
    `(SELECT link_id, tags.name AS tag FROM link_clicks CROSS JOIN LATERAL unnest(tag_numbers) AS number JOIN tags USING (number)
      WHERE ${linksOf(environmentId, parameters)}) AS tagging`,
  );
}

/** A subquery with the column `link`: the links that have the tag. */
export function taggedSql({ environmentId, tag }: { environmentId: string; tag: string }, parameters: Parameters): string {
  const { add } = parameters;
  return uuidsOf(
    '',
    `link_clicks WHERE ${linksOf(environmentId, parameters)}
      AND tag_numbers && ARRAY(SELECT number FROM tags WHERE environment_id = ${add(environmentId)} AND name = ${add(tag)})`,
  );
}

/** More tagged links are joined in the database, because reading them would take longer. */
const TAGGED_LINKS_MAX = 200_000;

/** Reads the links of the environment with their tags, or with the one tag that is given. Returns null if they are too many. */
export async function readTaggedLinks(snapshot: Queryable, environmentId: string, tag: string | null): Promise<LinkTags | null> {
  const parameters = createParameters();
  const tagged =
    tag === null
      ? `SELECT link, array_agg(tag) AS tags FROM ${taggingsSql(environmentId, parameters)} AS tagging GROUP BY link`
      : `SELECT link, ARRAY[${parameters.add(tag)}::text] AS tags FROM ${taggedSql({ environmentId, tag }, parameters)} AS tagged`;
  const { rows } = await snapshot.query<{ link: string; tags: readonly string[] }>({
    text: `${tagged} ORDER BY link LIMIT ${TAGGED_LINKS_MAX + 1}`,
    values: parameters.values,
  });
  if (rows.length > TAGGED_LINKS_MAX) return null;
  const links = Dictionary.of(
    rows.map(({ link }) => uuidBytes(link)),
    false,
  );
  return linkTags(
    links,
    rows.map(({ tags }) => tags),
  );
}
