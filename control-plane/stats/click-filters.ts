import { idToUuid, uuidToId } from '../../shared/base/ids.js';
import { CLICK_FILTERS, type ClickFilter, type ClicksQuery } from '../../shared/contract/schemas/clicks-query.js';
import type { Parameters } from '../click-figures/parameters.js';
import type { Queryable } from '../db/database.js';
import { fieldError, refuseFields } from '../http/problems.js';
import { readTypeKeys } from './names.js';

/** What the value of a filter is in the click log. */
export const CLICK_COLUMNS: Readonly<Record<ClickFilter, string>> = {
  link: `CASE WHEN kind = 'link' THEN subject_id END`,
  campaign: 'campaign',
  resource_type: 'resource_type_id',
  item: 'item_id',
  host: 'host',
  path: 'path',
  platform: 'platform',
  os: 'os',
  os_version: 'os_version',
  browser: 'browser',
  browser_version: 'browser_version',
  country: 'country',
  region: 'region',
  city: 'city',
  // Null of clicks that are older than the column, and of most others: it would be the same text in nearly all rows.
  source: `coalesce(source, 'link')`,
  referrer_host: 'referrer_host',
  in_app_browser: 'in_app_browser',
  utm_source: 'utm_source',
  utm_medium: 'utm_medium',
  utm_campaign: 'utm_campaign',
  utm_term: 'utm_term',
  utm_content: 'utm_content',
  bot_reason: 'bot_reason',
};

/** More links than this are not looked for by a tag. */
const TAGGED_LINKS_MAX = 10_000;

/** Resolved: what is named by id or key in the API, as the log names it. */
export interface ClickFilters {
  /** Whether all clicks are let through. */
  readonly none: boolean;
  /** The conditions, as SQL over the columns of `clicks`; their values go to the parameters of each statement. */
  conditions(parameters: Parameters): readonly string[];
}

/** What the query lets through. A name that the environment does not know lets nothing through. */
export async function readClickFilters(database: Queryable, environmentId: string, query: ClicksQuery): Promise<ClickFilters> {
  const types = query.resource_type ? await readTypeKeys(database, environmentId) : new Map<string, string>();
  const given = CLICK_FILTERS.flatMap((name) => (query[name] === undefined ? [] : [[name, query[name]] as const]));
  const tagged = query.tag === undefined ? null : await readTaggedLinks(database, environmentId, query.tag);
  const loggedValue = (name: ClickFilter, value: string): string | null => {
    if (name === 'link') return idToUuid('link', value);
    if (name !== 'resource_type') return value;
    const typeId = [...types].find(([, key]) => key === value)?.[0];
    return typeId === undefined ? null : idToUuid('resourceType', typeId);
  };
  return {
    none: given.length === 0 && tagged === null,
    conditions: ({ add }) => [
      ...given.map(([name, value]) => {
        if (value === '') return `${CLICK_COLUMNS[name]} IS NULL`;
        const known = loggedValue(name, value);
        if (known === null) return 'false';
        // The planner sees through a plain column alone.
        return name === 'link' ? `kind = 'link' AND subject_id = ${add(known)}::uuid` : `${CLICK_COLUMNS[name]} = ${add(known)}`;
      }),
      ...(tagged === null ? [] : [`kind = 'link' AND subject_id = ANY (${add(tagged)}::uuid[])`]),
    ],
  };
}

async function readTaggedLinks(database: Queryable, environmentId: string, tag: string): Promise<readonly string[]> {
  const { rows } = await database.query<{ id: string }>({
    name: 'read_tagged_links',
    text: `
      SELECT id FROM links
      WHERE environment_id = $1 AND tag_numbers <> '{}'
        AND tag_numbers && ARRAY(SELECT number FROM tags WHERE environment_id = $1 AND name = $2)
      LIMIT $3`,
    values: [environmentId, tag, TAGGED_LINKS_MAX + 1],
  });
  if (rows.length > TAGGED_LINKS_MAX) {
    const detail = `is the tag of more than ${TAGGED_LINKS_MAX} links. Filter by campaign`;
    throw refuseFields([fieldError('query', '/tag', 'invalid_range', detail)]);
  }
  return rows.map(({ id }) => idToUuid('link', id) as string);
}

/** The value of a group as the API names it; null if there is none. */
export function shownValue(name: ClickFilter, value: string | null, typeKeys: ReadonlyMap<string, string>): string | null {
  if (value === null || value === '') return null;
  if (name === 'link') return uuidToId('link', value);
  return name === 'resource_type' ? (typeKeys.get(uuidToId('resourceType', value)) ?? null) : value;
}
