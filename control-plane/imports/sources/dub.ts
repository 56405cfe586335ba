import { csvRows, firstOf, unreadMembers } from './csv-rows.js';
import { Reading } from './reading.js';
import { baseOf, getJson } from './source-api.js';
import { addressOf, type CsvRow, type ImportSource, type SourceInput, type SourceLink, said, withoutAddress } from './source-link.js';

/** https://dub.co/docs/api-reference/endpoint/retrieve-a-list-of-links */
interface DubLink {
  readonly domain: string;
  readonly key: string;
  readonly url: string;
  readonly archived?: boolean;
  readonly expiresAt?: string | null;
  readonly password?: string | null;
  /** When it was switched off. */
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
  readonly createdAt?: string;
  readonly utm_source?: string | null;
  readonly utm_medium?: string | null;
  readonly utm_campaign?: string | null;
  readonly utm_term?: string | null;
  readonly utm_content?: string | null;
  readonly clicks?: number | string;
}

/** None of these says where, when or whom the link leads. */
const PASSED_OVER = [
  ...['id', 'shortLink', 'qrCode', 'tagId', 'userId', 'workspaceId', 'projectId', 'tenantId', 'programId', 'partnerId', 'webhookIds'],
  ...['updatedAt', 'lastClicked', 'leads', 'conversions', 'sales', 'saleAmount', 'trackConversion', 'publicStats', 'doIndex', 'user'],
];
const MEMBERS_READ: ReadonlySet<string> = new Set([
  ...['domain', 'key', 'url', 'archived', 'expiresAt', 'password', 'disabledAt', 'ios', 'android', 'geo', 'proxy', 'title', 'description'],
  ...['image', 'comments', 'tags', 'createdAt', 'utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content', 'clicks'],
  ...PASSED_OVER,
]);
const PAGE = 100;
const OWN_HOST = 'dub.sh';

export const DUB: ImportSource = {
  title: 'Dub: a key of its API, or its CSV export',
  reads: 'either',
  ofRow,
  read: (input) => (input.apiKey === null ? fromFile(input) : fromApi(input)),
};

async function* fromApi({ apiKey, baseUrl, interrupted, onWait }: SourceInput): AsyncIterable<SourceLink> {
  const base = baseOf(baseUrl, 'https://api.dub.co');
  for (let page = 1; ; page++) {
    const url = `${base}/links?page=${page}&pageSize=${PAGE}&sortBy=createdAt&sortOrder=asc&showArchived=true`;
    const links = await getJson<readonly DubLink[]>(url, { headers: { authorization: `Bearer ${apiKey}` }, interrupted, onWait });
    yield* links.map((link) => linkOf(link, new Reading()));
    if (links.length < PAGE) return;
  }
}

/**
 * Keys of Dub know no case unless a domain asks for it: the link has its key in lower case, which a domain that ignores case tries,
 * and an alias as it is shown, since paths here know case. `proxy` says that the card is the link's own.
 */
function linkOf(link: DubLink, reading: Reading): SourceLink {
  reading.lose(...unreadMembers(link, MEMBERS_READ));
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
        tags: reading.tags(tags?.map(({ name }) => name)),
      }),
      ...(Object.keys(card).length === 0 ? {} : { card }),
      ...(archived === true ? { archived } : {}),
    },
    ...reading.clicks(clicks),
    ...(link.disabledAt ? { disabled: true as const } : {}),
    ...reading.result(),
  };
}

/** Names of columns as its export writes those members: `updatedAt` is `Updated at`. */
const asColumns = (members: readonly string[]) =>
  members.flatMap((name) => [name.toLowerCase(), name.replace(/[A-Z]/g, ' $&').toLowerCase()]);
const READ = new Set([
  ...['short link', 'shortlink', 'link', 'destination url', 'created_at', 'link id', 'sales amount'],
  ...asColumns([...MEMBERS_READ]),
]);

async function* fromFile({ file, onRead }: SourceInput): AsyncIterable<SourceLink> {
  for await (const row of csvRows(file as string, READ, onRead)) yield ofRow(row);
}

function ofRow(row: CsvRow): SourceLink {
  const shown = firstOf(row, 'short link', 'shortlink', 'link');
  const short = addressOf(shown, shown === '' ? null : OWN_HOST);
  const domain = firstOf(row, 'domain') || (short.host ?? '');
  if (domain === '') return withoutAddress('it has no "domain" and no short link; is the file an export of Dub?');
  const optional = (...columns: readonly string[]) => firstOf(row, ...columns) || null;
  const reading = new Reading();
  reading.lose(...unreadMembers(row, READ));
  const proxy = reading.flag('proxy', row.proxy) ?? firstOf(row, 'description', 'image') !== '';
  const link: DubLink = {
    domain,
    key: firstOf(row, 'key') || short.path,
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
  return linkOf(link, reading);
}
