import { csvRows, firstOf, linksOfRows, unreadMembers } from './csv-rows.js';
import { ListedLinks, linksOfParts } from './listed-links.js';
import { baseOf, getJson, isRefused, listIn, type Request, SourceError } from './source-api.js';
import {
  addressOf,
  type CsvRow,
  type ImportSource,
  isCount,
  type SourceInput,
  type SourceLink,
  said,
  undescribed,
  withoutAddress,
} from './source-link.js';
import { namesOf, SourceRow } from './source-row.js';

/** https://dub.co/docs/api-reference/endpoint/retrieve-a-list-of-links */
interface DubLink {
  readonly domain: string;
  readonly key: string;
  readonly url: string;
  readonly archived?: boolean;
  readonly expiresAt?: string | null;
  readonly password?: string | null;
  /** When the link was disabled. */
  readonly disabledAt?: string | null;
  readonly ios?: string | null;
  readonly android?: string | null;
  readonly geo?: Readonly<Record<string, string>> | null;
  readonly proxy?: boolean;
  readonly title?: string | null;
  readonly description?: string | null;
  readonly image?: string | null;
  readonly comments?: string | null;
  readonly tags?: readonly { readonly name: string }[] | null;
  readonly folderId?: string | null;
  readonly createdAt?: string;
  readonly utm_source?: string | null;
  readonly utm_medium?: string | null;
  readonly utm_campaign?: string | null;
  readonly utm_term?: string | null;
  readonly utm_content?: string | null;
  readonly clicks?: number | string;
}

/**
 * None of these affects where, when or for whom the link redirects, or what people see: ids, figures, and whether search engines may list
 * the short URL.
 */
const PASSED_OVER = [
  ...['id', 'shortLink', 'qrCode', 'tagId', 'userId', 'workspaceId', 'projectId', 'tenantId', 'programId', 'partnerId', 'user'],
  ...['updatedAt', 'lastClicked', 'leads', 'conversions', 'sales', 'saleAmount', 'doIndex'],
];
/** These are false unless somebody has set them. */
const PLAIN_IF_FALSE = ['rewrite', 'trackConversion', 'publicStats'];
const MEMBERS_READ: ReadonlySet<string> = new Set([
  ...['domain', 'key', 'url', 'archived', 'expiresAt', 'password', 'disabledAt', 'ios', 'android', 'geo', 'proxy', 'title', 'description'],
  ...['image', 'comments', 'tags', 'createdAt', 'utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content', 'clicks'],
  ...PASSED_OVER,
]);
const MEMBERS_PLAIN_IF_FALSE: ReadonlySet<string> = new Set(PLAIN_IF_FALSE);
const PAGE = 100;
const FOLDERS_OF_PAGE = 50;
const OWN_HOST = 'dub.sh';

export const DUB: ImportSource = {
  title: 'Dub: an API key, or a CSV export',
  reads: 'either',
  keysIgnoreCase: true,
  ofRow,
  read: (input) => (input.apiKey === null ? fromFile(input) : fromApi(input)),
};

/** https://dub.co/docs/api-reference/folders/list */
interface Folder {
  readonly id: string;
  readonly name?: string;
}

/** The names of the folders by their ids. */
type FolderNames = ReadonlyMap<string, string | undefined>;

type Asked = Request & { readonly base: string; onNote(note: string): void };

/** A list of links of Dub has those of one folder, or those that are in none. */
async function* fromApi({ apiKey, baseUrl, interrupted, onWait, onNote = () => {} }: SourceInput): AsyncIterable<SourceLink> {
  const base = baseOf(baseUrl, 'https://api.dub.co');
  const asked = { base, headers: { authorization: `Bearer ${apiKey}` }, interrupted, onWait, onNote };
  const listed = new ListedLinks();
  const counted = await countAllowed(asked);
  const folders = await foldersOf(asked);
  const names = new Map(folders.map(({ id, name }) => [id, name]));
  const totals: number[] = [];
  const linksIn = async function* (folder: string, before: number): AsyncIterable<SourceLink> {
    yield* pagesOf(folder, { ...asked, names }, listed);
    totals.push(Math.max(before, counted === null ? 0 : await countIn(folder, asked)));
  };
  yield* linksIn('', counted ?? 0);
  yield* linksOfParts(folders, 'folders', async function* ({ id }) {
    const folder = `&folderId=${encodeURIComponent(id)}`;
    yield* linksIn(folder, counted === null ? 0 : await countIn(folder, asked));
  });
  const [first, ...others] = totals as [number, ...number[]];
  // Some servers count the links of all folders with those that are in none.
  listed.ofTotal(listed.size === first ? first : others.reduce((sum, total) => sum + total, first));
  listed.end();
}

/** The number of links that are in no folder; null if the key may not count links. */
async function countAllowed(asked: Asked): Promise<number | null> {
  try {
    return await countIn('', asked);
  } catch (error) {
    if (!(error instanceof SourceError) || error.status === null || error.status >= 500) throw error;
    asked.onNote('Dub does not return the number of links, so it is unknown whether all of them were read');
    return null;
  }
}

async function countIn(folder: string, { base, ...request }: Asked): Promise<number> {
  const count = await getJson<unknown>(`${base}/links/count?showArchived=true${folder}`, request);
  return isCount(count) ? count : 0;
}

async function* pagesOf(
  folder: string,
  { base, names, ...request }: Asked & { readonly names: FolderNames },
  listed: ListedLinks,
): AsyncIterable<SourceLink> {
  for (let page = 1; ; page++) {
    // Every order that Dub offers can have ties.
    const url = `${base}/links?page=${page}&pageSize=${PAGE}&sortBy=createdAt&sortOrder=asc&showArchived=true${folder}`;
    const objects = listIn<DubLink>(await getJson(url, request), url);
    const isLast = objects.length < PAGE;
    const links = objects.map((object) => ({ ...linkOf(withFolderTag(object, names), new SourceRow()), isEmptyRoot: isEmptyRoot(object) }));
    // Some servers list the links of all folders with those that are in none.
    const found = folder === '' ? listed.newOf(links, isLast) : links.filter((link) => listed.isNew(link));
    for (const { isEmptyRoot, ...link } of found) if (!isEmptyRoot) yield link;
    if (isLast || found.length === 0) return;
  }
}

/** The link with the name of its folder as its last tag, because there are no folders here. Without a known name, the folder is lost. */
function withFolderTag(link: DubLink, names: FolderNames): DubLink {
  const { folderId, ...rest } = link;
  const name = typeof folderId === 'string' ? names.get(folderId) : undefined;
  const tags = rest.tags ?? [];
  return typeof name === 'string' && name.trim() !== '' && Array.isArray(tags) ? { ...rest, tags: [...tags, { name }] } : link;
}

/** Servers that have no folders answer 404. */
async function foldersOf({ base, onNote, ...request }: Asked): Promise<readonly Folder[]> {
  const folders = new Map<string, Folder>();
  try {
    for (let page = 1; ; page++) {
      const url = `${base}/folders?page=${page}&pageSize=${FOLDERS_OF_PAGE}`;
      const found = listIn<Folder>(await getJson(url, request), url);
      const known = folders.size;
      for (const folder of found) folders.set(folder.id, folder);
      // Servers of 2024 return all folders, whatever the page.
      if (found.length < FOLDERS_OF_PAGE || folders.size === known) return [...folders.values()];
    }
  } catch (error) {
    if (!isRefused(error)) throw error;
    if (error.status !== 404) onNote('the key is not allowed to list folders, so only the links that are in none are read');
    return [];
  }
}

/** The key of the link that Dub keeps for the root of each domain, as it is, and as domains with case-sensitive keys store it. */
const ROOT = '_root';
const ROOT_KEYS: ReadonlySet<string> = new Set([ROOT, 'akoJCU0=']);

/** Dub creates a link for the root of each domain, which leads nowhere until somebody gives it a URL. */
function isEmptyRoot({ key, url }: Pick<DubLink, 'key' | 'url'>): boolean {
  return ROOT_KEYS.has(key) && !url;
}

/** Here, the root of a host is not a link but a setting of the domain. */
function rootOf({ domain, url }: DubLink): SourceLink {
  const what = url
    ? `set redirects.root of the domain to ${url} (PATCH /domains/{domain}, or the domain in the dashboard)`
    : 'it leads nowhere at Dub, so there is nothing to set';
  return withoutAddress(`${domain} is the root of a domain, for which there are no links here: ${what}`, `${domain}/${ROOT}`);
}

/**
 * Keys at Dub ignore case unless a domain is set otherwise, and paths here are case-sensitive. So the link gets its key in lower case,
 * which a domain that ignores case tries, and an alias with the key as it is shown. `proxy` says that the card is the link's own. Without
 * it, Dub stores what the destination says about itself, which nobody is shown.
 */
function linkOf(link: DubLink, reading: SourceRow): SourceLink {
  const wrong = undescribed({ domain: link.domain, key: link.key });
  if (wrong !== null) return wrong;
  if (ROOT_KEYS.has(link.key)) return rootOf(link);
  reading.lose(...unreadMembers(link, MEMBERS_READ, MEMBERS_PLAIN_IF_FALSE));
  if (!link.url && !link.ios && !link.android && !link.geo) reading.lose('destinations');
  const { domain, key, url, ios, android, title, description, image, comments, tags, createdAt, expiresAt, archived } = link;
  const { utm_source, utm_medium, utm_campaign, utm_term, utm_content, password, geo, clicks } = link;
  const card = link.proxy === true ? said({ title, description, image_url: image }) : {};
  return {
    id: `${domain}/${key}`,
    addresses: [...new Set([key.toLowerCase(), key])].map((path) => ({ host: domain.toLowerCase(), path })),
    fields: {
      destinations: said({ web: url, ios, android }),
      ...said({ utm_source, utm_medium, utm_campaign, utm_term, utm_content, title, comments, geo, password: reading.password(password) }),
      ...said({
        created_at: reading.instant('created_at', createdAt),
        expires_at: reading.instant('expires_at', expiresAt),
        tags: reading.tags(namesOf(tags)),
      }),
      ...(Object.keys(card).length === 0 ? {} : { card }),
      ...(archived === true ? { archived } : {}),
    },
    ...reading.clicks(clicks),
    ...(link.disabledAt ? { disabled: true as const } : {}),
    ...reading.result(),
  };
}

/** The column names that the export uses for those members: `updatedAt` is `Updated at`. */
const asColumns = (members: readonly string[]) =>
  members.flatMap((name) => [name.toLowerCase(), name.replace(/[A-Z]/g, ' $&').toLowerCase()]);
const READ = new Set([
  ...['short link', 'shortlink', 'link', 'destination url', 'created_at', 'link id', 'sales amount'],
  ...asColumns([...MEMBERS_READ]),
]);
const COLUMNS_PLAIN_IF_FALSE = new Set(asColumns(PLAIN_IF_FALSE));

function fromFile({ file, onRead }: SourceInput): AsyncIterable<SourceLink> {
  return linksOfRows(csvRows(file as string, READ, onRead), (row) => {
    const reading = new SourceRow();
    const object = objectOf(row, reading);
    return object !== null && isEmptyRoot(object) ? null : linkOfRow(object, reading);
  });
}

function ofRow(row: CsvRow): SourceLink {
  const reading = new SourceRow();
  return linkOfRow(objectOf(row, reading), reading);
}

function linkOfRow(object: DubLink | null, reading: SourceRow): SourceLink {
  if (object === null) return withoutAddress('it has no "domain" and no short link; is the file an export of Dub?');
  return linkOf(object, reading);
}

/** A row as the API would return it; null if it names no address. */
function objectOf(row: CsvRow, reading: SourceRow): DubLink | null {
  const shown = firstOf(row, 'short link', 'shortlink', 'link');
  const short = addressOf(shown, shown === '' ? null : OWN_HOST);
  const domain = firstOf(row, 'domain') || (short.host ?? '');
  if (domain === '') return null;
  const optional = (...columns: readonly string[]) => firstOf(row, ...columns) || null;
  reading.lose(...unreadMembers(row, READ, COLUMNS_PLAIN_IF_FALSE));
  const proxy = reading.flag('proxy', row.proxy) ?? firstOf(row, 'description', 'image') !== '';
  return {
    domain,
    // The short URL of a root has no path.
    key: firstOf(row, 'key') || short.path || (shown === '' ? '' : ROOT),
    url: firstOf(row, 'url', 'destination url'),
    ios: optional('ios'),
    android: optional('android'),
    title: optional('title'),
    description: optional('description'),
    image: optional('image'),
    comments: optional('comments'),
    tags: firstOf(row, 'tags')
      .split(',')
      .map((name) => ({ name })),
    createdAt: firstOf(row, 'created at', 'createdat', 'created_at'),
    password: optional('password'),
    expiresAt: optional('expires at', 'expiresat'),
    disabledAt: optional('disabled at', 'disabledat'),
    geo: reading.json<DubLink['geo']>('geo', row.geo) ?? null,
    clicks: firstOf(row, 'clicks'),
    archived: reading.flag('archived', row.archived) === true,
    proxy,
    utm_source: optional('utm_source'),
    utm_medium: optional('utm_medium'),
    utm_campaign: optional('utm_campaign'),
    utm_term: optional('utm_term'),
    utm_content: optional('utm_content'),
  };
}
