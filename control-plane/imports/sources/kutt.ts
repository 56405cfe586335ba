import { COMMENTS_CHARACTERS_MAX } from '../../../shared/base/limits.js';
import { unreadMembers } from './csv-rows.js';
import { ListedLinks } from './listed-links.js';
import { baseOf, getObject, listIn } from './source-api.js';
import { addressOf, type ImportSource, type SourceLink, said, undescribed } from './source-link.js';
import { SourceRow } from './source-row.js';

/** https://docs.kutt.it, "Get list of links" */
interface KuttLink {
  readonly address: string;
  readonly link: string;
  readonly target: string;
  readonly description?: string | null;
  readonly created_at?: string;
  readonly expire_in?: string | null;
  readonly password?: boolean;
  readonly banned?: boolean;
  readonly visit_count?: number;
}

interface KuttPage {
  readonly data: readonly KuttLink[];
  readonly total?: number;
}

const READ: ReadonlySet<string> = new Set([
  ...['address', 'link', 'target', 'description', 'created_at', 'expire_in', 'password', 'banned', 'visit_count'],
  // None of these affects where, when or for whom the link redirects; `link` contains the domain.
  ...['id', 'uuid', 'user_id', 'domain', 'domain_id', 'banned_by_id', 'updated_at', 'relative_created_at', 'relative_expire_in'],
]);
const PAGE = 50;

export const KUTT: ImportSource = {
  title: 'Kutt: an API key of the server',
  reads: 'api',
  selfHosted: true,
  async *read({ apiKey, baseUrl, interrupted, onWait }) {
    const base = baseOf(baseUrl, '');
    const request = { headers: { 'x-api-key': apiKey as string }, interrupted, onWait };
    const listed = new ListedLinks();
    // The order cannot be chosen; servers before 3.0 sort only by the time of creation.
    for (let skip = 0; ; skip += PAGE) {
      const url = `${base}/api/v2/links?limit=${PAGE}&skip=${skip}`;
      const { data, total } = await getObject<KuttPage>(url, request);
      const links = listIn<KuttLink>(data, url).map(linkOf);
      listed.ofTotal(total);
      yield* listed.newOf(links, links.length < PAGE);
      if (links.length < PAGE) break;
    }
    listed.end();
  },
};

function linkOf(object: KuttLink): SourceLink {
  const { address, link, target, description, created_at, expire_in, password, banned, visit_count } = object;
  const wrong = undescribed({ address, link });
  if (wrong !== null) return wrong;
  const reading = new SourceRow();
  reading.lose(...unreadMembers(object, READ));
  // The API says only that there is one.
  if (password) reading.shut('password');
  if (banned) reading.shut('banned');
  const { host } = addressOf(link);
  return {
    id: `${host ?? ''}/${address}`,
    addresses: [{ host, path: address }],
    fields: {
      destinations: { web: target },
      ...said({
        comments: reading.text('comments', description, COMMENTS_CHARACTERS_MAX),
        created_at: reading.instant('created_at', created_at),
        expires_at: reading.instant('expires_at', expire_in),
      }),
    },
    ...reading.clicks(visit_count),
    ...reading.result(),
  };
}
