import { PATH_RESERVATION_DAYS } from '../../shared/base/limits.js';
import type { LinkStatus } from '../../shared/contract/schemas/link.js';
import type { LinkSort } from '../../shared/contract/schemas/link-list.js';
import type { Queryable } from '../db/database.js';
import type { PageRequest } from '../http/cursor.js';
import type { LinkRow } from './link-row.js';
import { hasTrigram, type TextMatch, textMatch, unescapedText } from './search-text.js';
import { deletedLinkSelect, linkSelect } from './sql.js';

export interface LinkFilter {
  /** Deleted links are in no list but their own, which has those that can be restored. */
  readonly status?: LinkStatus | 'deleted';
  readonly campaign?: string;
  readonly pathPrefix?: string;
  readonly tag?: string;
  /** A part of the path, of the path of an alias, of the title, of a destination or of the name of a tag, in either case. */
  readonly search?: string;
  /** True for archived links only, false for no archived links, null for both. */
  readonly archived: boolean | null;
  readonly ids?: readonly string[];
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

/**
 * The links that `POST /links/{id}/restore` finds. Separate indexes have them in each order except that of clicks. `coalesce` keeps
 * PostgreSQL from using the index of `deleted_at`, which has the links of all environments: PostgreSQL expects that few deleted links have
 * such a time, and does not see that all of them have.
 */
const CAN_BE_RESTORED = [
  `state = 'deleted'`,
  `coalesce(deleted_at, '-infinity') > now() - make_interval(days => ${PATH_RESERVATION_DAYS})`,
];

/** The name that people know a link by: its title, or its path if it has no title. It is written as in its index. */
const NAME = 'lower(coalesce(title, path) COLLATE "default")';

/** What a page is sorted by, as in its index. */
const SORT_SQL: Readonly<Record<LinkSort, readonly string[]>> = {
  created_at: ['id'],
  name: [NAME, 'id'],
  // Both are columns of `link_clicks`: only then is the order that of an index.
  clicks: ['link_clicks.human', 'link_clicks.link_id'],
};

/** A link as a list reads it. */
export interface ListedLinkRow extends LinkRow {
  /** Clicks by people, as click-figures/prepared/link-clicks.ts adds them up. Present only if they are shown or sorted by. */
  readonly clicks?: number;
  /** Present only for a deleted link; `state` is then the state to which it would be restored. */
  readonly deleted_at?: Date;
}

const SELECTED = linkSelect('links');
const SELECTED_OF_DELETED = `${deletedLinkSelect('links')}, links.deleted_at`;

/** `links` and `clicks` are the tables, or subqueries under the same names. */
function selectFrom(links: string, clicks: string | null, selected = SELECTED): string {
  return clicks === null
    ? `SELECT ${selected} FROM ${links}`
    : `SELECT ${selected}, link_clicks.human::float8 AS clicks FROM ${links} JOIN ${clicks} ON link_clicks.link_id = links.id`;
}

const SEARCH_TEXT = '(link_search_text(path, title, destinations) COLLATE "default")';
/** Its index holds only links with destinations by country. */
const COUNTRY_TEXT = '(link_country_text(geo) COLLATE "default")';
/** Its index holds only links with aliases. */
const ALIAS_TEXT = '(link_alias_text(aliases) COLLATE "default")';

/**
 * The links that contain the text, by the indexes of trigrams. If the text has no trigram, the links whose name or path begins with it,
 * escaped or not.
 */
function foundBy(text: string, parameter: AddParameter): string {
  const unescaped = unescapedText(text);
  if (hasTrigram(unescaped)) {
    const { operator, patterns } = textMatch(text);
    const held = patterns.map(parameter);
    const holds = (column: string) => `(${held.map((pattern) => `${column} ${operator} ${pattern}`).join(' OR ')})`;
    const ofCountries = `geo IS NOT NULL AND ${holds(COUNTRY_TEXT)}`;
    const ofAliases = `json_array_length(aliases) > 0 AND ${holds(ALIAS_TEXT)}`;
    return `(${holds(SEARCH_TEXT)} OR (${ofCountries}) OR (${ofAliases}))`;
  }
  return `(${[...new Set([text, unescaped])].map((start) => begunWith(start, parameter)).join(' OR ')})`;
}

/** A text has at most 16 spellings of so many characters. */
const SPELLED_CHARACTERS = 4;

function begunWith(text: string, parameter: AddParameter): string {
  const lower = text.toLowerCase();
  // The bounds are for the index. Only the database knows in what order it sorts text.
  const [from, to] = [parameter(lower), parameter(`${lower}\u{10ffff}`)];
  // Paths are indexed as they are written.
  const paths = spellings([...text].slice(0, SPELLED_CHARACTERS)).map((spelling) => `path ^@ ${parameter(spelling)}`);
  return `((${NAME} >= ${from} AND ${NAME} < ${to} AND ${NAME} ^@ ${from}) OR ((${paths.join(' OR ')}) AND lower(path) ^@ ${from}))`;
}

/** The characters joined, each of them in lower and in upper case. */
function spellings(characters: readonly string[]): readonly string[] {
  const cases = (character: string) => [...new Set([character, character.toLowerCase(), character.toUpperCase()])];
  return characters.reduce<readonly string[]>(
    (begun, character) => begun.flatMap((start) => cases(character).map((one) => start + one)),
    [''],
  );
}

/** At most this many tags are looked for. A text that matches more of them is a part of most names. */
const TAGS_SEARCHED_MAX = 1000;

/** Numbers of tags. They are read first, so that PostgreSQL knows how rare they are when it plans the list. */
async function tagNumbers(
  database: Queryable,
  environmentId: string,
  condition: 'name = $2' | `name COLLATE "default" ${TextMatch['operator']} ANY ($2::text[])`,
  value: string | readonly string[],
) {
  const { rows } = await database.query<{ number: number }>({
    text: `SELECT number FROM tags WHERE environment_id = $1 AND ${condition} LIMIT ${TAGS_SEARCHED_MAX}`,
    values: [environmentId, value],
  });
  return rows.map(({ number }) => number);
}

type AddParameter = (value: unknown) => string;

/** The conditions of a list, in SQL. Every link of the list meets all of them. */
interface Conditions {
  /** On links, and covered by the index of the order. */
  readonly inOrder: readonly string[];
  /** On links, and not covered by that index. */
  readonly apart: readonly string[];
  /** On their clicks; empty unless the list is sorted by them. */
  readonly ofClicks: readonly string[];
  /** The condition on the tag: on clicks if the list is sorted by them, otherwise on links. Null if no tag is asked for. */
  readonly tagged: string | null;
  /** Whether no link can match. */
  readonly nothing: boolean;
}

/** Only conditions of fixed text are joined; values are parameters. */
async function conditionsOf(
  database: Queryable,
  environmentId: string,
  filter: LinkFilter,
  page: PageRequest & LinkOrder,
  parameter: AddParameter,
): Promise<Conditions> {
  const inOrder = ['environment_id = $1', ...(filter.status === 'deleted' ? CAN_BE_RESTORED : [`state <> 'deleted'`])];
  const apart = filter.archived === null ? [] : [filter.archived ? 'archived' : 'NOT archived'];
  const byClicks = page.sort === 'clicks';
  const ofClicks = byClicks ? ['link_clicks.environment_number = (SELECT number FROM environments WHERE id = $1)'] : [];
  if (page.belowId !== null) {
    const place = `(${SORT_SQL[page.sort].join(', ')}) ${page.descending ? '<' : '>'} ${placeOf(page, parameter)}`;
    (byClicks ? ofClicks : inOrder).push(place);
  }
  const bounds = page.sort === 'created_at' ? inOrder : apart;
  if (filter.ids !== undefined) bounds.push(`id = ANY (${parameter(filter.ids)}::text[])`);
  if (filter.fromId !== undefined) bounds.push(`id >= ${parameter(filter.fromId)}`);
  if (filter.toId !== undefined) bounds.push(`id <= ${parameter(filter.toId)}`);
  if (filter.campaign !== undefined) apart.push(`campaign = ${parameter(filter.campaign)}`);
  if (filter.pathPrefix !== undefined) apart.push(`path ^@ ${parameter(filter.pathPrefix)}`);
  if (filter.status === 'active' || filter.status === 'expired' || filter.status === 'scheduled')
    apart.push(STATUS_SQL[filter.status](`${parameter(new Date(filter.nowMs).toISOString())}::timestamptz`));
  else if (filter.status !== undefined && filter.status !== 'deleted') apart.push(STATUS_SQL[filter.status](''));
  const hasTag = (table: 'links' | 'link_clicks', numbers: readonly number[]) =>
    `(${table}.tag_numbers <> '{}' AND ${table}.tag_numbers && ${parameter(numbers)}::integer[])`;
  let tagged: string | null = null;
  let nothing = false;
  if (filter.tag !== undefined) {
    const numbers = await tagNumbers(database, environmentId, 'name = $2', filter.tag);
    nothing = numbers.length === 0;
    // On one table only: with both, PostgreSQL would expect the tag to be rare, and look up all of its links instead of walking the index
    // of the order.
    tagged = hasTag(byClicks ? 'link_clicks' : 'links', numbers);
    (byClicks ? ofClicks : apart).push(tagged);
  }
  if (filter.search !== undefined) {
    const { operator, patterns } = textMatch(filter.search);
    const numbers = await tagNumbers(database, environmentId, `name COLLATE "default" ${operator} ANY ($2::text[])`, patterns);
    const found = foundBy(filter.search, parameter);
    apart.push(numbers.length === 0 ? found : `(${found} OR ${hasTag('links', numbers)})`);
  }
  return { inOrder, apart, ofClicks, tagged, nothing };
}

/**
 * How many links, in the order of the list, are searched for a page before all matching links are looked up: some 10 ms. By name, it reads
 * them from all over the table.
 */
const LINKS_WALKED: Readonly<Record<LinkSort, number>> = { created_at: 4_000, clicks: 4_000, name: 2_000 };
/** The same for entries of the index of tagged links by clicks, which contain the tags: 2 ms. */
const TAGGED_WALKED = 10_000;
/** How many links of a tag, those with most clicks, are searched for a page before all of them are sorted. Archived links are skipped. */
const TAGGED_SORTED = 1_000;

/** Whether no index has both the order and what the filter asks for. */
function isApartFromOrder({ tag, search, campaign, pathPrefix, status, archived }: LinkFilter, { sort }: LinkOrder): boolean {
  if (tag !== undefined || search !== undefined || pathPrefix !== undefined) return true;
  const isOfOrder = status === undefined || status === 'active' || status === 'deleted';
  return sort !== 'created_at' && (campaign !== undefined || archived || !isOfOrder);
}

/**
 * Lists links by keyset pagination. Returns one row more than the page holds.
 *
 * If no index has both the order and what the filter asks for, there are two ways: walk the order until a page is full, or look up all
 * matching links and sort them. PostgreSQL chooses by the number of links that it expects to match, as if they were spread evenly over the
 * order. So it would walk to the end for a tag that its statistics do not know (one link of a million: 570 ms), for links that are all old
 * (the same), or for links of a tag that nobody clicked on. This function first walks a bounded part of the order, which fills a page if
 * matching links are common. If they are not, it looks up all matching links.
 */
export async function listLinks(
  database: Queryable,
  environmentId: string,
  filter: LinkFilter,
  page: PageRequest & LinkOrder,
): Promise<readonly ListedLinkRow[]> {
  const values: unknown[] = [environmentId];
  const conditions = await conditionsOf(database, environmentId, filter, page, (value) => `$${values.push(value)}`);
  if (conditions.nothing) return [];
  const { inOrder, apart, ofClicks, tagged } = conditions;
  const order = `ORDER BY ${SORT_SQL[page.sort].map((expression) => `${expression} ${page.descending ? 'DESC' : 'ASC'}`).join(', ')}`;
  const limit = `LIMIT $${values.push(page.limit + 1)}`;
  const all = [...inOrder, ...apart, ...ofClicks];
  const list = async (select: string, where: readonly string[]): Promise<readonly ListedLinkRow[]> => {
    const { rows } = await database.query<ListedLinkRow>({ text: `${select} WHERE ${where.join(' AND ')} ${order} ${limit}`, values });
    return rows;
  };
  const clicks = page.withClicks || page.sort === 'clicks' ? 'link_clicks' : null;
  const selected = filter.status === 'deleted' ? SELECTED_OF_DELETED : SELECTED;
  if (!isApartFromOrder(filter, page)) return list(selectFrom('links', clicks, selected), all);
  for (const select of selectsOf(conditions, page.sort, order, { clicks, selected })) {
    const rows = await list(select, all);
    if (rows.length > page.limit) return rows;
  }
  // OFFSET 0 keeps the subquery separate, so that PostgreSQL does not walk the order for the limit.
  if (page.sort === 'clicks' && tagged !== null)
    return list(selectFrom('links', partOf('link_clicks', ofClicks, `${order} OFFSET 0`)), all);
  return list(
    selectFrom(partOf('links', [...inOrder, ...apart], 'OFFSET 0'), clicks, selected),
    ofClicks.length === 0 ? ['true'] : ofClicks,
  );
}

/** Queries over parts of the order that may hold a whole page. */
function selectsOf(
  { inOrder, ofClicks, tagged }: Conditions,
  sort: LinkSort,
  order: string,
  { clicks, selected }: { readonly clicks: 'link_clicks' | null; readonly selected: string },
): readonly string[] {
  if (sort !== 'clicks') return [selectFrom(partOf('links', inOrder, `${order} LIMIT ${LINKS_WALKED[sort]}`), clicks, selected)];
  // Only conditions that the index of the order covers, so that the walk ends.
  const walked = ofClicks.filter((condition) => condition !== tagged);
  if (tagged === null) return [selectFrom('links', partOf('link_clicks', walked, `${order} LIMIT ${LINKS_WALKED.clicks}`))];
  const found = `(SELECT * FROM ${partOf('link_clicks', ofClicks, 'OFFSET 0')} ${order} LIMIT ${TAGGED_SORTED}) AS link_clicks`;
  return [
    selectFrom('links', partOf('link_clicks', [...walked, `tag_numbers <> '{}'`], `${order} LIMIT ${TAGGED_WALKED}`)),
    selectFrom('links', found),
  ];
}

function partOf(table: 'links' | 'link_clicks', where: readonly string[], end: string): string {
  return `(SELECT * FROM ${table} WHERE ${where.join(' AND ')} ${end}) AS ${table}`;
}

/** The position of the last row of the previous page. Clicks change all the time, so for them it is the position that the row had then. */
function placeOf({ sort, belowId, belowPlace = 0 }: PageRequest & LinkOrder, parameter: AddParameter): string {
  if (sort === 'clicks') return `(${parameter(belowPlace)}::bigint, ${parameter(belowId)}::text)`;
  const last = parameter(belowId);
  // A link that was deleted in the meantime keeps its row, and so its position.
  return sort === 'created_at' ? last : `(SELECT ${SORT_SQL[sort].join(', ')} FROM links WHERE id = ${last})`;
}
