import { baseOf, getJson } from './source-api.js';
import { addressOf, clicksOf, type ImportSource, instantOf, namesSaid, said, tagsOf } from './source-link.js';

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
  readonly crawlable?: boolean;
  readonly hasRedirectRules?: boolean;
  readonly visitsSummary?: { readonly total?: number } | null;
  /** What servers before 3.4 say. */
  readonly visitsCount?: number;
  readonly meta?: { readonly validSince?: string | null; readonly validUntil?: string | null; readonly maxVisits?: number | null };
}

interface ShlinkPage {
  readonly shortUrls: { readonly data: readonly ShlinkUrl[]; readonly pagination: { readonly pagesCount: number } };
}

const PAGE = 500;

export const SHLINK: ImportSource = {
  title: 'Shlink: an API key of the server',
  reads: 'api',
  selfHosted: true,
  async *read({ apiKey, baseUrl, interrupted, onWait }) {
    const base = baseOf(baseUrl, '');
    for (let page = 1, pages = 1; page <= pages; page++) {
      const url = `${base}/rest/v3/short-urls?page=${page}&itemsPerPage=${PAGE}&orderBy=dateCreated-ASC`;
      const { shortUrls } = await getJson<ShlinkPage>(url, { headers: { 'x-api-key': apiKey as string }, interrupted, onWait });
      pages = shortUrls.pagination.pagesCount;
      for (const { shortCode, shortUrl, longUrl, domain, dateCreated, tags = [], title, meta, ...others } of shortUrls.data) {
        const host = domain ?? (shortUrl === undefined ? null : addressOf(shortUrl).host);
        yield {
          id: `${host ?? ''}/${shortCode}`,
          addresses: [{ host, path: shortCode }],
          fields: {
            destinations: { web: longUrl },
            ...said({
              title,
              created_at: instantOf(dateCreated),
              active_from: instantOf(meta?.validSince),
              expires_at: instantOf(meta?.validUntil),
              max_clicks: meta?.maxVisits,
              tags: tagsOf(tags),
            }),
            // Shlink forwards the query unless it is told not to.
            ...(others.forwardQuery === false ? {} : { allow_param_passthrough: true }),
          },
          ...clicksOf(others.visitsSummary?.total ?? others.visitsCount),
          lost: namesSaid({ redirectRules: others.hasRedirectRules }),
        };
      }
    }
  },
};
