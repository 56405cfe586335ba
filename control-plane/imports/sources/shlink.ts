import { unreadMembers } from './csv-rows.js';
import { ListedLinks } from './listed-links.js';
import { baseOf, getObject, listIn } from './source-api.js';
import { addressOf, type ImportSource, type SourceLink, said, undescribed } from './source-link.js';
import { SourceRow } from './source-row.js';

/** https://api-spec.shlink.io, "List short URLs" */
interface ShlinkUrl {
  readonly shortCode: string;
  readonly shortUrl?: string;
  readonly longUrl: string;
  readonly domain?: string | null;
  readonly dateCreated?: string;
  readonly tags?: readonly string[];
  readonly title?: string | null;
  readonly forwardQuery?: boolean;
  /** Only from servers before 4.0. */
  readonly deviceLongUrls?: { readonly [device in 'ios' | 'android' | 'desktop']?: string | null } | null;
  readonly visitsSummary?: { readonly total?: number } | null;
  /** Only from servers before 3.4. */
  readonly visitsCount?: number;
  readonly meta?: { readonly validSince?: string | null; readonly validUntil?: string | null; readonly maxVisits?: number | null };
}

interface ShlinkPage {
  readonly shortUrls: {
    readonly data: readonly ShlinkUrl[];
    readonly pagination: { readonly pagesCount: number; readonly totalItems?: number };
  };
}

const READ: ReadonlySet<string> = new Set([
  ...['shortCode', 'shortUrl', 'longUrl', 'deviceLongUrls', 'domain', 'dateCreated', 'tags', 'title', 'forwardQuery'],
  ...['visitsSummary', 'visitsCount', 'meta'],
  // This says only whether search engines may list the address.
  'crawlable',
]);
const META_READ: ReadonlySet<string> = new Set(['validSince', 'validUntil', 'maxVisits']);
const DEVICES_READ: ReadonlySet<string> = new Set(['ios', 'android', 'desktop']);
const PLAIN_IF_FALSE: ReadonlySet<string> = new Set(['hasRedirectRules']);
const PAGE = 500;

export const SHLINK: ImportSource = {
  title: 'Shlink: an API key of the server',
  reads: 'api',
  selfHosted: true,
  async *read({ apiKey, baseUrl, interrupted, onWait }) {
    const base = baseOf(baseUrl, '');
    const request = { headers: { 'x-api-key': apiKey as string }, interrupted, onWait };
    const listed = new ListedLinks();
    for (let page = 1, pages = 1; page <= pages; page++) {
      // Many links may have the same time of creation, but each domain has a code only once.
      const url = `${base}/rest/v3/short-urls?page=${page}&itemsPerPage=${PAGE}&orderBy=shortCode-ASC`;
      const { shortUrls } = await getObject<ShlinkPage>(url, request);
      const { data, pagination } = (shortUrls ?? {}) as Partial<ShlinkPage['shortUrls']>;
      const links = listIn<ShlinkUrl>(data, url).map(linkOf);
      pages = pagination?.pagesCount ?? page;
      listed.ofTotal(pagination?.totalItems);
      yield* listed.newOf(links, page >= pages);
    }
    listed.end();
  },
};

function linkOf(object: ShlinkUrl): SourceLink {
  const { shortCode, shortUrl, longUrl, deviceLongUrls, domain, dateCreated, tags, title, meta, ...others } = object;
  const wrong = undescribed({ shortCode, domain: domain ?? '', shortUrl: shortUrl ?? '' });
  if (wrong !== null) return wrong;
  const reading = new SourceRow();
  reading.lose(
    ...unreadMembers(object, READ, PLAIN_IF_FALSE),
    ...unreadMembers(meta ?? {}, META_READ),
    ...unreadMembers(deviceLongUrls ?? {}, DEVICES_READ),
  );
  const visits = others.visitsSummary?.total ?? others.visitsCount;
  const host = domain ?? (shortUrl === undefined ? null : addressOf(shortUrl).host);
  return {
    id: `${host ?? ''}/${shortCode}`,
    addresses: [{ host, path: shortCode }],
    fields: {
      destinations: {
        web: longUrl,
        ...said({ ios: deviceLongUrls?.ios, android: deviceLongUrls?.android, desktop: deviceLongUrls?.desktop }),
      },
      ...said({
        title,
        created_at: reading.instant('created_at', dateCreated),
        active_from: reading.instant('active_from', meta?.validSince),
        expires_at: reading.instant('expires_at', meta?.validUntil),
        max_clicks: reading.maxClicks(meta?.maxVisits, visits),
        tags: reading.tags(tags),
      }),
      // Shlink forwards the query unless this is false.
      ...(others.forwardQuery === false ? {} : { allow_param_passthrough: true }),
    },
    ...reading.clicks(visits),
    ...reading.result(),
  };
}
