import { unreadMembers } from './csv-rows.js';
import { ListedLinks } from './listed-links.js';
import { areRules, fieldsOfRules, type ShlinkRule } from './shlink-rules.js';
import { baseOf, getObject, isRefused, listIn, type Request } from './source-api.js';
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
  /** Since 4.0. */
  readonly hasRedirectRules?: boolean;
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
  ...['visitsSummary', 'visitsCount', 'meta', 'hasRedirectRules'],
  // This says only whether search engines may list the address.
  'crawlable',
]);
const META_READ: ReadonlySet<string> = new Set(['validSince', 'validUntil', 'maxVisits']);
const DEVICES_READ: ReadonlySet<string> = new Set(['ios', 'android', 'desktop']);
const PAGE = 500;

export const SHLINK: ImportSource = {
  title: 'Shlink: an API key of the server',
  reads: 'api',
  selfHosted: true,
  async *read({ apiKey, baseUrl, interrupted, done, onWait }) {
    const base = baseOf(baseUrl, '');
    const request = { headers: { 'x-api-key': apiKey as string }, interrupted, onWait };
    const listed = new ListedLinks();
    for (let page = 1, pages = 1; page <= pages; page++) {
      // Many links may have the same time of creation, but each domain has a code only once.
      const url = `${base}/rest/v3/short-urls?page=${page}&itemsPerPage=${PAGE}&orderBy=shortCode-ASC`;
      const { shortUrls } = await getObject<ShlinkPage>(url, request);
      const { data, pagination } = (shortUrls ?? {}) as Partial<ShlinkPage['shortUrls']>;
      const links = listIn<ShlinkUrl>(data, url).map((object) => ({ ...linkOf(object), object }));
      pages = pagination?.pagesCount ?? page;
      listed.ofTotal(pagination?.totalItems);
      for (const { object, ...link } of listed.newOf(links, page >= pages))
        yield object.hasRedirectRules && link.fault === undefined && !done.has(link.id)
          ? withRules(link, await rulesOf(object, base, request))
          : link;
    }
    listed.end();
  },
};

/** The redirect rules of a link; null if the key may not read them. */
async function rulesOf({ shortCode, domain }: ShlinkUrl, base: string, request: Request): Promise<readonly ShlinkRule[] | null> {
  const query = domain ? `?${new URLSearchParams({ domain })}` : '';
  const url = `${base}/rest/v3/short-urls/${encodeURIComponent(shortCode)}/redirect-rules${query}`;
  try {
    const { redirectRules } = await getObject<{ redirectRules: unknown }>(url, request);
    return areRules(redirectRules) ? redirectRules : null;
  } catch (error) {
    if (!isRefused(error)) throw error;
    return null;
  }
}

function withRules(link: SourceLink, rules: readonly ShlinkRule[] | null): SourceLink {
  if (rules === null) return { ...link, lost: [...link.lost, 'hasRedirectRules'] };
  const { destinations, geo, lost } = fieldsOfRules(rules);
  const fields = {
    ...link.fields,
    destinations: { ...link.fields.destinations, ...destinations },
    ...(Object.keys(geo).length === 0 ? {} : { geo }),
  };
  return { ...link, fields, lost: [...link.lost, ...lost] };
}

function linkOf(object: ShlinkUrl): SourceLink {
  const { shortCode, shortUrl, longUrl, deviceLongUrls, domain, dateCreated, tags, title, meta, ...others } = object;
  const wrong = undescribed({ shortCode, domain: domain ?? '', shortUrl: shortUrl ?? '' });
  if (wrong !== null) return wrong;
  const reading = new SourceRow();
  reading.lose(
    ...unreadMembers(object, READ),
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
