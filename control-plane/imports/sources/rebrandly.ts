import { COMMENTS_CHARACTERS_MAX } from '../../../shared/base/limits.js';
import { unreadMembers } from './csv-rows.js';
import { ListedLinks, linksOfParts } from './listed-links.js';
import { baseOf, getJson, isRefused, listIn } from './source-api.js';
import { type ImportSource, type SourceInput, type SourceLink, said, undescribed } from './source-link.js';
import { namesOf, SourceRow } from './source-row.js';

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
  // None of these affects where, when or for whom the link redirects.
  ...['id', 'linkId', 'domainId', 'domain', 'workspace', 'ownerId', 'creator', 'updatedAt', 'sessions', 'lastClickDate', 'lastClickAt'],
  ...['isPublic', 'https', 'favourite', 'integrated'],
]);
const PAGE = 25;

/** https://developers.rebrandly.com/docs/get-started: without the header "workspace", a key reads only its default workspace. */
interface Workspace {
  readonly id: string;
  readonly name?: string;
}

type Asked = Pick<SourceInput, 'interrupted' | 'onWait'> & { readonly base: string; readonly headers: Readonly<Record<string, string>> };

export const REBRANDLY: ImportSource = {
  title: 'Rebrandly: an API key, for the links of all workspaces',
  reads: 'api',
  async *read({ apiKey, baseUrl, interrupted, onWait, onNote }) {
    const asked = { base: baseOf(baseUrl, 'https://api.rebrandly.com'), headers: { apikey: apiKey as string }, interrupted, onWait };
    const workspaces = await workspacesOf(asked);
    if (workspaces === null) onNote?.('the key is not allowed to list workspaces, so only the links of its default workspace are read');
    if (workspaces === null || workspaces.length === 0) {
      yield* linksOf(asked);
      return;
    }
    yield* linksOfParts(workspaces, 'workspaces', ({ id }) => linksOf({ ...asked, headers: { ...asked.headers, workspace: id } }));
  },
};

/** Null if the key has no right to list workspaces. */
async function workspacesOf(asked: Asked): Promise<readonly Workspace[] | null> {
  const workspaces: Workspace[] = [];
  try {
    for await (const workspace of pagesOf<Workspace>('workspaces', asked)) workspaces.push(workspace);
  } catch (error) {
    if (!isRefused(error)) throw error;
    return null;
  }
  return workspaces;
}

async function* linksOf(asked: Asked): AsyncIterable<SourceLink> {
  for await (const link of pagesOf<RebrandlyLink>('links', asked)) yield linkOf(link);
}

async function* pagesOf<Item extends { readonly id: string }>(kind: string, { base, ...request }: Asked): AsyncIterable<Item> {
  const listed = new ListedLinks();
  for (let last = ''; ; ) {
    const after = last === '' ? '' : `&last=${encodeURIComponent(last)}`;
    const url = `${base}/v1/${kind}?limit=${PAGE}&orderBy=createdAt&orderDir=asc${after}`;
    const items = listIn<Item>(await getJson(url, request), url);
    yield* listed.newOf(items, items.length < PAGE);
    if (items.length < PAGE) return;
    last = items.at(-1)?.id as string;
  }
}

function linkOf(link: RebrandlyLink): SourceLink {
  const { title, slashtag, destination, createdAt, domainName, shortUrl, tags, forwardParameters, password, expiredAt } = link;
  const wrong = undescribed({ slashtag, domainName: domainName ?? shortUrl ?? '' });
  if (wrong !== null) return wrong;
  const reading = new SourceRow();
  reading.lose(...unreadMembers(link, READ));
  const host = domainName ?? shortUrl?.split('/')[0] ?? null;
  // The API may hide the password, so what it shows is not used as one.
  if (password) reading.shut('password');
  if (link.status && link.status !== 'active') reading.shut('status');
  return {
    id: `${host ?? ''}/${slashtag}`,
    addresses: [{ host, path: slashtag }],
    fields: {
      destinations: { web: destination },
      ...said({
        title,
        comments: reading.text('comments', link.description, COMMENTS_CHARACTERS_MAX),
        created_at: reading.instant('created_at', createdAt),
        expires_at: reading.instant('expires_at', expiredAt),
        tags: reading.tags(namesOf(tags)),
      }),
      ...(forwardParameters === true ? { allow_param_passthrough: true } : {}),
    },
    ...reading.clicks(link.clicks),
    ...reading.result(),
  };
}
