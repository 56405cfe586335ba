import { parseUrl } from '../../../shared/base/parse-url.js';
import { csvRows, firstOf, linksOfRows, unreadColumns, unreadMembers } from './csv-rows.js';
import { ListedLinks } from './listed-links.js';
import { baseOf, getObject, listIn, SourceError } from './source-api.js';
import {
  addressOf,
  type CsvRow,
  type ImportSource,
  type SourceInput,
  type SourceLink,
  said,
  undescribed,
  withoutAddress,
} from './source-link.js';
import { SourceRow } from './source-row.js';

/** https://dev.bitly.com/api-reference, "Retrieve Bitlinks by Group" */
interface Bitlink {
  readonly id: string;
  readonly long_url: string;
  readonly title?: string | null;
  readonly custom_bitlinks?: readonly string[];
  readonly created_at?: string;
  readonly archived?: boolean;
  readonly is_deleted?: boolean;
  readonly tags?: readonly string[];
  /** Only in the CSV export. */
  readonly clicks?: string;
}

interface BitlinkPage {
  readonly links: readonly Bitlink[];
  readonly pagination?: { readonly next?: string };
}

const MEMBERS_READ: ReadonlySet<string> = new Set([
  ...['id', 'long_url', 'title', 'custom_bitlinks', 'created_at', 'archived', 'tags', 'clicks', 'is_deleted'],
  // None of these affects where, when or for whom the link redirects, or what people see. Campaigns, launchpads and QR codes do.
  ...['link', 'created_by', 'client_id', 'references', 'modified_at'],
]);
const PAGE = 100;
const OWN_HOST = 'bit.ly';

export const BITLY: ImportSource = {
  title: 'Bitly: an API token, or a CSV export',
  reads: 'either',
  ofRow,
  read: (input) => (input.apiKey === null ? fromFile(input) : fromApi(input)),
};

async function* fromApi({ apiKey, baseUrl, interrupted, onWait }: SourceInput): AsyncIterable<SourceLink> {
  const base = baseOf(baseUrl, 'https://api-ssl.bitly.com');
  const request = { headers: { authorization: `Bearer ${apiKey}` }, interrupted, onWait };
  const groupsUrl = `${base}/v4/groups`;
  const { groups } = await getObject<{ groups: unknown }>(groupsUrl, request);
  for (const { guid } of listIn<{ guid: string }>(groups, groupsUrl))
    for (const archived of ['off', 'on']) {
      const listed = new ListedLinks();
      for (let url = `${base}/v4/groups/${guid}/bitlinks?size=${PAGE}&archived=${archived}`; url !== ''; ) {
        const { links, pagination } = await getObject<BitlinkPage>(url, request);
        const page = listIn<Bitlink>(links, url).map((link) => linkOf(link, new SourceRow()));
        url = nextOf(pagination, base);
        yield* listed.newOf(page, url === '');
      }
    }
}

/** The address of the next page, on the same host as the first one, whatever host the response names; '' after the last page. */
function nextOf(pagination: unknown, base: string): string {
  const next = (pagination as BitlinkPage['pagination'] | null)?.next ?? '';
  if (next === '') return '';
  const url = parseUrl(String(next), base);
  if (url === null) throw new SourceError('Bitly returns a next page without an address', null);
  return `${base}${url.pathname}${url.search}`;
}

function linkOf(link: Bitlink, reading: SourceRow): SourceLink {
  const { id, long_url, title, created_at, archived, tags, clicks } = link;
  const custom_bitlinks = Array.isArray(link.custom_bitlinks) ? (link.custom_bitlinks as readonly string[]) : [];
  const wrong = undescribed({ id, ...custom_bitlinks });
  if (wrong !== null) return wrong;
  reading.lose(...unreadMembers(link, MEMBERS_READ));
  if (link.is_deleted) reading.shut('is_deleted');
  return {
    id,
    addresses: [id, ...custom_bitlinks].map((address) => addressOf(address)),
    fields: {
      destinations: { web: long_url },
      ...said({ title, created_at: reading.instant('created_at', created_at), tags: reading.tags(tags) }),
      ...(archived ? { archived } : {}),
    },
    ...reading.clicks(clicks),
    ...reading.result(),
  };
}

/**
 * The export of the links of a group has the columns Link, Custom Link, Date created, Title, Destination URL, Engagements and Status. Exports
 * of earlier years have other names.
 */
const COLUMNS = {
  id: ['bitlink', 'link', 'short link', 'short url'],
  url: ['long url', 'long_url', 'destination', 'destination url'],
  title: ['title'],
  created: ['created', 'created at', 'created_at', 'date created'],
  tags: ['tags'],
  archived: ['archived'],
  clicks: ['total clicks', 'clicks', 'total engagements', 'engagements', 'total clicks + scans'],
  custom: ['custom link', 'custom links', 'custom bitlink', 'custom bitlinks', 'custom back-half', 'custom_bitlinks'],
  status: ['status'],
} as const;
const READ = new Set<string>(Object.values(COLUMNS).flat());

/** The statuses of links that Bitly hides in its lists and still redirects. */
const ARCHIVED: ReadonlySet<string> = new Set(['archived', 'hidden']);

function fromFile({ file, onRead }: SourceInput): AsyncIterable<SourceLink> {
  return linksOfRows(csvRows(file as string, READ, onRead), ofRow);
}

function ofRow(row: CsvRow): SourceLink {
  const id = firstOf(row, ...COLUMNS.id);
  if (id === '') return withoutAddress('it has no Bitlink; is the file an export of Bitly?');
  const listed = (columns: readonly string[]) =>
    firstOf(row, ...columns)
      .split(/[,;|]/)
      .map((item) => item.trim())
      .filter(Boolean);
  const { host, path } = addressOf(id, OWN_HOST);
  const reading = new SourceRow();
  reading.lose(...unreadColumns(row, READ));
  const status = firstOf(row, ...COLUMNS.status)
    .trim()
    .toLowerCase();
  // A link that is deleted, expired or suspended there leads nowhere, and must not lead anywhere here.
  if (status !== '' && status !== 'active' && !ARCHIVED.has(status)) reading.shut('status');
  const link: Bitlink = {
    id: `${host}/${path}`,
    long_url: firstOf(row, ...COLUMNS.url),
    title: firstOf(row, ...COLUMNS.title),
    custom_bitlinks: listed(COLUMNS.custom).map((custom) => (/[/.]/.test(custom) ? custom : `${host}/${custom}`)),
    created_at: firstOf(row, ...COLUMNS.created),
    archived: reading.flag('archived', firstOf(row, ...COLUMNS.archived)) === true || ARCHIVED.has(status),
    tags: listed(COLUMNS.tags),
    clicks: firstOf(row, ...COLUMNS.clicks),
  };
  return linkOf(link, reading);
}
