import type { LinkSort, LinkStatus } from '../../shared/contract/schemas/link.js';
import { containing } from '../db/containing.js';
import type { Queryable } from '../db/database.js';
import type { PageRequest } from '../http/cursor.js';
import type { LinkRow } from './link-row.js';
import { linkSelect, SELECT_LINKS } from './sql.js';

export interface LinkFilter {
  readonly status?: LinkStatus;
  readonly campaign?: string;
  readonly pathPrefix?: string;
  readonly tag?: string;
  /** Part of the path, the title, a destination or the name of a tag, in either case. */
  readonly search?: string;
  /** Archived links alone, or none of them. */
  readonly archived: boolean;
  /** Bounds of the id, which begins with the time of creation. */
  readonly fromId?: string;
  readonly toId?: string;
  readonly nowMs: number;
}

export interface LinkOrder {
  readonly sort: LinkSort;
  readonly descending: boolean;
  /** Whether the clicks of each link are read with it. */
  readonly withClicks?: boolean;
}

/** SQL of a filter on the derived status; `now` is the placeholder of the current time. */
const STATUS_SQL: Readonly<Record<LinkStatus, (now: string) => string>> = {
  active: (now) =>
    `state = 'active' AND (expires_at IS NULL OR expires_at > ${now}) AND (active_from IS NULL OR active_from <= ${now}) AND used_up_at IS NULL`,
  scheduled: (now) => `state = 'active' AND active_from > ${now} AND (expires_at IS NULL OR expires_at > ${now}) AND used_up_at IS NULL`,
  expired: (now) => `state = 'active' AND (expires_at <= ${now} OR used_up_at IS NOT NULL)`,
  disabled: () => `state = 'disabled'`,
  blocked: () => `state = 'blocked'`,
};

/** What people call a link: its title, or else its path. As an index has it. */
const NAME = 'lower(coalesce(title, path) COLLATE "default")';

/** What a page is sorted by, as its index has it. */
const SORT_SQL: Readonly<Record<LinkSort, readonly string[]>> = {
  created_at: ['id'],
  name: [NAME, 'id'],
  // Not of `links`: only so the order is that of an index.
  clicks: ['link_clicks.human', 'link_clicks.link_id'],
};

/** A link as a list reads it. */
export interface ListedLinkRow extends LinkRow {
  /** Clicks of people as they are added up (click-figures/link-clicks.ts); only where they are shown or sorted by. */
  readonly clicks?: number;
}

const SELECT_WITH_CLICKS = `SELECT ${linkSelect('links')}, link_clicks.human::float8 AS clicks FROM links JOIN link_clicks ON link_clicks.link_id = links.id`;

const SEARCH_TEXT = '(link_search_text(path, title, destinations) COLLATE "default")';

/** A shorter text has no trigram (pg_trgm), so that no index would find what holds it. */
const TRIGRAM_CHARACTERS = 3;

/** The links that hold the text, by the index of trigrams; or those whose name or path begins with one that is too short for it. */
function foundBy(text: string, parameter: (value: unknown) => string): string {
  if (text.length >= TRIGRAM_CHARACTERS) return `${SEARCH_TEXT} ILIKE ${parameter(containing(text))}`;
  const lower = text.toLowerCase();
  // The bounds are for the index: in what order a database sorts text, only it knows.
  const [from, to] = [parameter(lower), parameter(`${lower}\u{10ffff}`)];
  return `((${NAME} >= ${from} AND ${NAME} < ${to} AND ${NAME} ^@ ${from}) OR path ^@ ${parameter(text)})`;
}

/** More tags than this are not looked for: what is searched for is then a part of most names. */
const TAGS_SEARCHED_MAX = 1000;

/** Numbers of tags. They are read first, so that PostgreSQL knows how rare they are when it plans the list. */
async function tagNumbers(
  database: Queryable,
  environmentId: string,
  condition: 'name = $2' | 'name COLLATE "default" ILIKE $2',
  value: string,
) {
  const { rows } = await database.query<{ number: number }>({
    text: `SELECT number FROM tags WHERE environment_id = $1 AND ${condition} LIMIT ${TAGS_SEARCHED_MAX}`,
    values: [environmentId, value],
  });
  return rows.map(({ number }) => number);
}

/** By keyset, one row more than the page holds. Only conditions of fixed text are put together; values are parameters. */
export async function listLinks(
  database: Queryable,
  environmentId: string,
  filter: LinkFilter,
  page: PageRequest & LinkOrder,
): Promise<readonly ListedLinkRow[]> {
  const values: unknown[] = [environmentId];
  const parameter = (value: unknown) => `$${values.push(value)}`;
  const conditions = ['environment_id = $1', `state <> 'deleted'`, filter.archived ? 'archived' : 'NOT archived'];
  const sorted = SORT_SQL[page.sort];
  if (page.sort === 'clicks') conditions.push(`link_clicks.environment_number = (SELECT number FROM environments WHERE id = $1)`);
  if (page.belowId !== null) conditions.push(`(${sorted.join(', ')}) ${page.descending ? '<' : '>'} ${placeOf(page, parameter)}`);
  if (filter.fromId !== undefined) conditions.push(`id >= ${parameter(filter.fromId)}`);
  if (filter.toId !== undefined) conditions.push(`id <= ${parameter(filter.toId)}`);
  if (filter.campaign !== undefined) conditions.push(`campaign = ${parameter(filter.campaign)}`);
  if (filter.pathPrefix !== undefined) conditions.push(`path ^@ ${parameter(filter.pathPrefix)}`);
  if (filter.status === 'active' || filter.status === 'expired' || filter.status === 'scheduled')
    conditions.push(STATUS_SQL[filter.status](`${parameter(new Date(filter.nowMs).toISOString())}::timestamptz`));
  else if (filter.status !== undefined) conditions.push(STATUS_SQL[filter.status](''));
  const tagged = (table: 'links' | 'link_clicks', numbers: readonly number[]) =>
    `(${table}.tag_numbers <> '{}' AND ${table}.tag_numbers && ${parameter(numbers)}::integer[])`;
  if (filter.tag !== undefined) {
    const numbers = await tagNumbers(database, environmentId, 'name = $2', filter.tag);
    // Not of both tables: PostgreSQL would take the tag for rare, and look up all of its links rather than walk the index of the order.
    conditions.push(tagged(page.sort === 'clicks' ? 'link_clicks' : 'links', numbers));
  }
  if (filter.search !== undefined) {
    const numbers = await tagNumbers(database, environmentId, 'name COLLATE "default" ILIKE $2', containing(filter.search));
    const found = foundBy(filter.search, parameter);
    conditions.push(numbers.length === 0 ? found : `(${found} OR ${tagged('links', numbers)})`);
  }
  const order = sorted.map((expression) => `${expression} ${page.descending ? 'DESC' : 'ASC'}`).join(', ');
  const { rows } = await database.query<ListedLinkRow>({
    text: `${page.withClicks || page.sort === 'clicks' ? SELECT_WITH_CLICKS : SELECT_LINKS} WHERE ${conditions.join(' AND ')} ORDER BY ${order} LIMIT ${parameter(page.limit + 1)}`,
    values,
  });
  return rows;
}

/** Where the last row of the page before stands. Clicks change all the time: there it is where the row stood then. */
function placeOf({ sort, belowId, belowPlace = 0 }: PageRequest & LinkOrder, parameter: (value: unknown) => string): string {
  if (sort === 'clicks') return `(${parameter(belowPlace)}::bigint, ${parameter(belowId)}::text)`;
  const last = parameter(belowId);
  // A link that was deleted meanwhile keeps its row, and so its place.
  return sort === 'created_at' ? last : `(SELECT ${SORT_SQL[sort].join(', ')} FROM links WHERE id = ${last})`;
}
