import { idToUuid, uuidToId } from '../../shared/base/ids.js';
import type { Tagging } from '../click-figures/log-query.js';
import type { Queryable } from '../db/database.js';
import { fieldError, refuseFields } from '../http/problems.js';

/** More links than this are not looked for by a tag. */
const TAGGED_LINKS_MAX = 10_000;

/** More tags of links than this are not told apart: each is a part of the statement. */
const TAGGINGS_MAX = 20_000;

/** Links that have the tag now; for '' those that have any. */
export async function readTaggedLinks(database: Queryable, environmentId: string, tag: string): Promise<readonly string[]> {
  const { rows } = await database.query<{ id: string }>({
    name: 'read_tagged_links',
    text: `
      SELECT id FROM links
      WHERE environment_id = $1 AND tag_numbers <> '{}'
        AND tag_numbers && ARRAY(SELECT number FROM tags WHERE environment_id = $1 AND ($2 = '' OR name = $2))
      LIMIT $3`,
    values: [environmentId, tag, TAGGED_LINKS_MAX + 1],
  });
  if (rows.length > TAGGED_LINKS_MAX) {
    const which = tag === '' ? 'leaves out' : 'is the tag of';
    const detail = `${which} more than ${TAGGED_LINKS_MAX} links. Filter by campaign`;
    throw refuseFields([fieldError('query', '/tag', 'invalid_range', detail)]);
  }
  return rows.map(({ id }) => idToUuid('link', id) as string);
}

/**
 * The tags that links of the environment have now. If they are too many, those of the links alone that were clicked on, which `readClicked`
 * reads: no more than its limit. Refuses the breakdown if these are too many as well.
 */
export async function readTaggings(
  database: Queryable,
  environmentId: string,
  readClicked: (limit: number) => Promise<readonly string[]>,
): Promise<readonly Tagging[]> {
  const all = await readTaggingsOf(database, environmentId, null);
  if (all.length <= TAGGINGS_MAX) return all;
  const clicked = await readClicked(TAGGINGS_MAX + 1);
  const ofClicked =
    clicked.length > TAGGINGS_MAX
      ? all
      : await readTaggingsOf(
          database,
          environmentId,
          clicked.map((uuid) => uuidToId('link', uuid)),
        );
  if (ofClicked.length <= TAGGINGS_MAX) return ofClicked;
  const detail = `The links that were clicked on have more than ${TAGGINGS_MAX} tags. Choose fewer days, or filter by campaign`;
  throw refuseFields([fieldError('query', '/breakdown', 'invalid_range', detail)]);
}

async function readTaggingsOf(database: Queryable, environmentId: string, linkIds: readonly string[] | null): Promise<readonly Tagging[]> {
  const { rows } = await database.query<{ id: string; tag: string }>({
    text: `
      SELECT links.id, tags.name AS tag
      FROM links CROSS JOIN LATERAL unnest(tag_numbers) AS number JOIN tags USING (number)
      WHERE links.environment_id = $1 AND tag_numbers <> '{}'${linkIds === null ? '' : ' AND links.id = ANY ($3)'}
      LIMIT $2`,
    values: [environmentId, TAGGINGS_MAX + 1, ...(linkIds === null ? [] : [linkIds])],
  });
  return rows.map(({ id, tag }) => ({ link: idToUuid('link', id) as string, tag }));
}
