import { csvCell } from '../../shared/base/csv-cell.js';
import type { Campaign } from '../../shared/contract/schemas/campaign.js';
import type { Link } from '../../shared/contract/schemas/link.js';
import { DESTINATION_SLOTS, UTM_FIELDS } from '../../shared/records/records.js';
import { campaignOfRow } from '../campaigns/campaign-row.js';
import { listCampaigns } from '../campaigns/sql.js';
import type { Queryable } from '../db/database.js';
import { clicksLeftOf } from '../links/clicks-left.js';
import { type ImportedClicks, importedClicksOf } from '../links/imported-clicks.js';
import { type LinkView, linkOfRow } from '../links/link-row.js';
import { type LinkFilter, listLinks } from '../links/list-sql.js';

/** Number of rows of one statement. */
const PAGE = 1000;

/** Number of imported clicks of one part of a page, some 4 MB of text, unless a single link has more. */
const CLICKS_OF_PART = 50_000;

/** A link with its clicks at the service from which it was imported, and the clicks left of its `max_clicks`. An import keeps both. */
export type ExportedLink = Link & { readonly imported_clicks: readonly ImportedClicks[]; readonly clicks_left: number | null };

/** How much is read at once. */
const AT_ONCE = { links: PAGE, clicks: CLICKS_OF_PART };

/** Yields every link of the environment that is not deleted, including archived ones, or those that match the filter, newest first. */
export async function* allLinks(
  database: Queryable,
  environmentId: string,
  view: LinkView,
  filter: Partial<LinkFilter> = {},
  { links: limit, clicks: clicksMax } = AT_ONCE,
): AsyncIterable<readonly ExportedLink[]> {
  for (let belowId: string | null = null; ; ) {
    const page = { limit, belowId, sort: 'created_at', descending: true } as const;
    const rows = await listLinks(database, environmentId, { nowMs: view.nowMs, archived: null, ...filter }, page);
    const shown = rows.slice(0, limit);
    const left = await clicksLeftOf(
      database,
      shown.flatMap(({ id, max_clicks }) => (max_clicks === null ? [] : [id])),
    );
    for (let from = 0; from < shown.length; ) {
      const rest = shown.slice(from);
      const { links, clicks } = await importedClicksOf(
        database,
        rest.map(({ id }) => id),
        clicksMax,
      );
      yield rest.slice(0, links).map((row) => ({
        ...linkOfRow(row, view),
        clicks_left: left.get(row.id) ?? null,
        imported_clicks: clicks.get(row.id) ?? [],
      }));
      from += links;
    }
    if (rows.length <= limit) return;
    belowId = rows[limit - 1]?.id ?? null;
  }
}

/** Yields every campaign of the environment, newest first. */
export async function* allCampaigns(database: Queryable, environmentId: string, nowMs: number): AsyncIterable<readonly Campaign[]> {
  for (let belowId: string | null = null; ; ) {
    const rows = await listCampaigns(database, environmentId, { nowMs }, { limit: PAGE, belowId });
    yield rows.slice(0, PAGE).map((row) => campaignOfRow(row, nowMs));
    if (rows.length <= PAGE) return;
    belowId = rows[PAGE - 1]?.id ?? null;
  }
}

type Cell = string | boolean | null;

/** Formats a path for a list. A comma would end it there, and trailing blanks would be lost. Percent-encoded, it is the same address. */
function listedPath(path: string): string {
  return path.replace(/,|\s+$/g, encodeURIComponent);
}

type Columns<Item> = Readonly<Record<string, (item: Item) => Cell>>;

/** Columns for members that are shown as they are, under their names. */
function asIs<Name extends string>(...names: readonly Name[]): Columns<Readonly<Record<Name, Cell>>> {
  return Object.fromEntries(names.map((name) => [name, (item: Readonly<Record<Name, Cell>>) => item[name]]));
}

/** The columns of a CSV file of links, in order. `linkd import csv` reads columns with these names. */
const LINK_COLUMNS: Columns<ExportedLink> = {
  ...asIs('path', 'domain'),
  ...Object.fromEntries(DESTINATION_SLOTS.map((slot) => [slot, ({ destinations }: Link) => destinations[slot]])),
  aliases: ({ aliases }) => aliases.map(({ host, path }) => `${host}/${listedPath(path)}`).join(', ') || null,
  ...asIs('status', 'title'),
  tags: ({ tags }) => tags.join(', ') || null,
  ...asIs('comments', 'archived', 'deep_link_path'),
  data: ({ data }) => (data === null ? null : JSON.stringify(data)),
  ...asIs('campaign', ...UTM_FIELDS, 'allow_param_passthrough'),
  card_title: ({ card }) => card?.title ?? null,
  card_description: ({ card }) => card?.description ?? null,
  card_image_url: ({ card }) => card?.image_url ?? null,
  ...asIs('active_from', 'expires_at'),
  max_clicks: ({ max_clicks }) => max_clicks?.toString() ?? null,
  clicks_left: ({ clicks_left }) => clicks_left?.toString() ?? null,
  geo: ({ geo }) => (geo === null ? null : JSON.stringify(geo)),
  ...asIs('interstitial', 'has_password'),
  imported_clicks: ({ imported_clicks }) => (imported_clicks.length === 0 ? null : JSON.stringify(imported_clicks)),
  ...asIs('created_at', 'created_by', 'url', 'id'),
};

const CAMPAIGN_COLUMNS: Columns<Campaign> = asIs('key', 'name', ...UTM_FIELDS, 'status', 'starts_at', 'ends_at', 'created_at', 'id');

/** The format in which objects of a kind are written. */
export interface ExportShape<Item> {
  readonly head: string;
  line(item: Item): string;
}

function csvOf<Item>(columns: Columns<Item>): ExportShape<Item> {
  const reads = Object.values(columns);
  return {
    head: `${Object.keys(columns).join(',')}\r\n`,
    line: (item) => `${reads.map((read) => csvCell(read(item))).join(',')}\r\n`,
  };
}

export const LINKS_CSV = csvOf(LINK_COLUMNS);
export const CAMPAIGNS_CSV = csvOf(CAMPAIGN_COLUMNS);
export const NDJSON: ExportShape<unknown> = { head: '', line: (item) => `${JSON.stringify(item)}\n` };

/** Yields the file page by page, after its head. */
export async function* linesOf<Item>(
  pages: AsyncIterable<readonly Item[]>,
  shape: ExportShape<Item>,
): AsyncIterable<{ readonly text: string; readonly items: number }> {
  yield { text: shape.head, items: 0 };
  for await (const page of pages) yield { text: page.map((item) => shape.line(item)).join(''), items: page.length };
}
