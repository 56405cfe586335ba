import { baseOf, getJson } from './source-api.js';
import { clicksOf, type ImportSource, instantOf, namesSaid, said, tagsOf } from './source-link.js';

/** https://developers.rebrandly.com/docs/list-links */
interface RebrandlyLink {
  readonly id: string;
  readonly title?: string | null;
  readonly slashtag: string;
  readonly destination: string;
  readonly createdAt?: string;
  readonly status?: string;
  readonly domainName?: string;
  readonly shortUrl?: string;
  readonly tags?: readonly { readonly name: string }[];
  readonly forwardParameters?: boolean;
  readonly password?: string;
  readonly expiredAt?: string | null;
  readonly clicks?: number;
}

const PAGE = 25;

export const REBRANDLY: ImportSource = {
  title: 'Rebrandly: a key of its API',
  reads: 'api',
  async *read({ apiKey, baseUrl, interrupted, onWait }) {
    const base = baseOf(baseUrl, 'https://api.rebrandly.com');
    const request = { headers: { apikey: apiKey as string }, interrupted, onWait };
    for (let last = ''; ; ) {
      const after = last === '' ? '' : `&last=${encodeURIComponent(last)}`;
      const links = await getJson<readonly RebrandlyLink[]>(
        `${base}/v1/links?limit=${PAGE}&orderBy=createdAt&orderDir=asc${after}`,
        request,
      );
      for (const link of links) {
        const { title, slashtag, destination, createdAt, domainName, shortUrl, tags = [], forwardParameters, password, expiredAt } = link;
        const host = domainName ?? shortUrl?.split('/')[0] ?? null;
        yield {
          id: `${host ?? ''}/${slashtag}`,
          addresses: [{ host, path: slashtag }],
          fields: {
            destinations: { web: destination },
            ...said({
              title,
              created_at: instantOf(createdAt),
              expires_at: instantOf(expiredAt),
              tags: tagsOf(tags.map(({ name }) => name)),
            }),
            ...(forwardParameters === true ? { allow_param_passthrough: true } : {}),
          },
          ...clicksOf(link.clicks),
          lost: namesSaid({ password, status: link.status === 'active' ? undefined : link.status }),
        };
      }
      if (links.length < PAGE) return;
      last = links.at(-1)?.id as string;
    }
  },
};
