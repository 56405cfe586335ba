import { csvRows, firstOf, unreadColumns, unreadMembers } from './csv-rows.js';
import { baseOf, getJson } from './source-api.js';
import { addressOf, type CsvRow, type ImportSource, type SourceInput, type SourceLink, said, withoutAddress } from './source-link.js';
import { SourceRow } from './source-row.js';

/** https://dev.bitly.com/api-reference, "Retrieve Bitlinks by Group" */
interface Bitlink {
  readonly id: string;
  readonly long_url: string;
  readonly title?: string | null;
  readonly custom_bitlinks?: readonly string[];
  readonly created_at?: string;
  readonly archived?: boolean;
  readonly tags?: readonly string[];
  /** Only in the CSV export. */
  readonly clicks?: string;
}

interface BitlinkPage {
  readonly links: readonly Bitlink[];
  readonly pagination?: { readonly next?: string };
}

const MEMBERS_READ: ReadonlySet<string> = new Set([
  ...['id', 'long_url', 'title', 'custom_bitlinks', 'created_at', 'archived', 'tags', 'clicks'],
  // None of these affects where, when or for whom the link redirects, or what people see. Campaigns, launchpads and QR codes do.
  ...['link', 'created_by', 'client_id', 'references', 'modified_at'],
]);
const PLAIN_IF_FALSE: ReadonlySet<string> = new Set(['is_deleted']);
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
  const { groups } = await getJson<{ groups: readonly { guid: string }[] }>(`${base}/v4/groups`, request);
  for (const { guid } of groups)
    for (const archived of ['off', 'on'])
      for (let url = `${base}/v4/groups/${guid}/bitlinks?size=${PAGE}&archived=${archived}`; url !== ''; ) {
        const page = await getJson<BitlinkPage>(url, request);
        yield* page.links.map((link) => linkOf(link, new SourceRow()));
        const next = page.pagination?.next ?? '';
        // The next page is requested from the same host as the first one, whatever host the response names.
        url = next === '' ? '' : `${base}${new URL(next, base).pathname}${new URL(next, base).search}`;
      }
}

function linkOf(link: Bitlink, reading: SourceRow): SourceLink {
  const { id, long_url, title, custom_bitlinks, created_at, archived, tags, clicks } = link;
  reading.lose(...unreadMembers(link, MEMBERS_READ, PLAIN_IF_FALSE));
  return {
    id,
    addresses: [id, ...(custom_bitlinks ?? [])].map((address) => addressOf(address)),
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

async function* fromFile({ file, onRead }: SourceInput): AsyncIterable<SourceLink> {
  for await (const row of csvRows(file as string, READ, onRead)) yield ofRow(row);
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
