import { COMMENTS_CHARACTERS_MAX } from '../../../shared/base/limits.js';
import { unreadMembers } from './csv-rows.js';
import { Reading } from './reading.js';
import { baseOf, getJson } from './source-api.js';
import { type ImportSource, said } from './source-link.js';

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
  readonly password?: string | boolean | null;
  readonly expiredAt?: string | null;
  readonly clicks?: number;
  readonly description?: string | null;
}

const READ: ReadonlySet<string> = new Set([
  ...['title', 'slashtag', 'destination', 'createdAt', 'status', 'domainName', 'shortUrl', 'tags', 'forwardParameters'],
  ...['password', 'expiredAt', 'clicks', 'description'],
  // None of these says where, when or whom the link leads.
  ...['id', 'linkId', 'domainId', 'domain', 'workspace', 'ownerId', 'creator', 'updatedAt', 'sessions', 'lastClickDate', 'lastClickAt'],
  ...['isPublic', 'https', 'favourite', 'integrated'],
]);
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
        const { title, slashtag, destination, createdAt, domainName, shortUrl, tags, forwardParameters, password, expiredAt } = link;
        const reading = new Reading();
        reading.lose(...unreadMembers(link, READ));
        const host = domainName ?? shortUrl?.split('/')[0] ?? null;
        // Its API may hide the password, so that what it shows is not taken for one.
        if (password) reading.shut('password');
        if (link.status && link.status !== 'active') reading.shut('status');
        yield {
          id: `${host ?? ''}/${slashtag}`,
          addresses: [{ host, path: slashtag }],
          fields: {
            destinations: { web: destination },
            ...said({
              title,
              comments: reading.text('comments', link.description, COMMENTS_CHARACTERS_MAX),
              created_at: reading.instant('created_at', createdAt),
              expires_at: reading.instant('expires_at', expiredAt),
              tags: reading.tags(tags?.map(({ name }) => name)),
            }),
            ...(forwardParameters === true ? { allow_param_passthrough: true } : {}),
          },
          ...reading.clicks(link.clicks),
          ...reading.result(),
        };
      }
      if (links.length < PAGE) return;
      last = links.at(-1)?.id as string;
    }
  },
};
