import { idToUuid, uuidToId } from '../../../shared/base/ids.js';
import type { ClickCondition, GroupKey } from '../../click-figures/click-groups.js';
import type { Queryable } from '../../db/database.js';
import { fieldError, refuseFields } from '../../http/problems.js';
import type { LinkCondition, Tagging } from './sql.js';

/** Tags that links have now. They are in PostgreSQL, so a statement on clicks has to include them. */

/** How many links, and how many tags of links, a statement may include: 10 MB of text, which makes it take a second longer. */
export interface TagBounds {
  readonly links: number;
  readonly taggings: number;
}

const BOUNDS: TagBounds = { links: 500_000, taggings: 500_000 };

/** Reads the clicked links of a statement, as `uuid`; at most `limit`. */
export type ReadClicked = (limit: number) => Promise<readonly string[]>;

/** Reads the tags that one call needs. What several of its statements need is read once. */
export class TagReader {
  readonly #snapshot: Queryable;
  readonly #bounds: TagBounds;
  readonly #taggedLinks = new Map<string, Promise<readonly string[]>>();

  constructor(snapshot: Queryable, bounds = BOUNDS) {
    this.#snapshot = snapshot;
    this.#bounds = bounds;
  }

  /** Returns the conditions, with each tag replaced by the links that have it. */
  async resolved(conditions: readonly ClickCondition[]): Promise<readonly LinkCondition[]> {
    const resolved: LinkCondition[] = [];
    for (const condition of conditions) {
      if (typeof condition === 'string' || !('tagOf' in condition)) resolved.push(condition);
      else {
        const { tagOf: environmentId, tag } = condition;
        resolved.push({ manyLinks: await this.#linksOf(environmentId, tag), isOther: tag === null });
      }
    }
    return resolved;
  }

  /**
   * Returns the tags that links of the environment have now. If they are too many, returns only those of links that were clicked on. If
   * these are too many as well, refuses the breakdown.
   */
  async tagsOf({ tagsOf: environmentId }: Extract<GroupKey, { tagsOf: string }>, readClicked: ReadClicked): Promise<readonly Tagging[]> {
    const max = this.#bounds.taggings;
    const all = await this.#readTags(environmentId, null);
    if (all.length <= max) return all;
    const clicked = await readClicked(max + 1);
    const ofClicked = clicked.length > max ? all : await this.#readTags(environmentId, clicked);
    if (ofClicked.length <= max) return ofClicked;
    const detail = `The links that were clicked on have more than ${max} tags. Choose fewer days, or filter by campaign`;
    throw refuseFields([fieldError('query', '/breakdown', 'invalid_range', detail)]);
  }

  #linksOf(environmentId: string, tag: string | null): Promise<readonly string[]> {
    const key = JSON.stringify([environmentId, tag]);
    const known = this.#taggedLinks.get(key);
    if (known !== undefined) return known;
    const links = this.#readLinks(environmentId, tag);
    this.#taggedLinks.set(key, links);
    return links;
  }

  /** Returns the links that have the tag, or, for null, any tag. */
  async #readLinks(environmentId: string, tag: string | null): Promise<readonly string[]> {
    const max = this.#bounds.links;
    const { rows } = await this.#snapshot.query<{ id: string }>({
      name: 'read_tagged_links',
      text: `
        SELECT link_id AS id FROM link_clicks
        WHERE environment_number = (SELECT number FROM environments WHERE id = $1) AND tag_numbers <> '{}'
          AND tag_numbers && ARRAY(SELECT number FROM tags WHERE environment_id = $1 AND ($2::text IS NULL OR name = $2))
        LIMIT $3`,
      values: [environmentId, tag, max + 1],
    });
    if (rows.length > max) {
      const which = tag === null ? 'leaves out' : 'is the tag of';
      throw refuseFields([fieldError('query', '/tag', 'invalid_range', `${which} more than ${max} links. Filter by campaign`)]);
    }
    return rows.map(({ id }) => idToUuid('link', id) as string);
  }

  async #readTags(environmentId: string, links: readonly string[] | null): Promise<readonly Tagging[]> {
    const { rows } = await this.#snapshot.query<{ id: string; tag: string }>({
      text: `
        SELECT link_id AS id, tags.name AS tag
        FROM link_clicks CROSS JOIN LATERAL unnest(tag_numbers) AS number JOIN tags USING (number)
        WHERE environment_number = (SELECT number FROM environments WHERE id = $1)
          AND tag_numbers <> '{}'${links === null ? '' : ' AND link_id = ANY ($3)'}
        LIMIT $2`,
      values: [environmentId, this.#bounds.taggings + 1, ...(links === null ? [] : [links.map((uuid) => uuidToId('link', uuid))])],
    });
    return rows.map(({ id, tag }) => ({ link: idToUuid('link', id) as string, tag }));
  }
}
