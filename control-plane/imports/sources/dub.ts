import { csvRows, firstOf, unreadColumns } from './csv-rows.js';
import { baseOf, getJson } from './source-api.js';
import {
  addressOf,
  type CsvRow,
  clicksOf,
  type ImportSource,
  instantOf,
  namesSaid,
  type SourceInput,
  type SourceLink,
  said,
  tagsOf,
  withoutAddress,
} from './source-link.js';

/** https://dub.co/docs/api-reference/endpoint/retrieve-a-list-of-links */
interface DubLink {
  readonly domain: string;
  readonly key: string;
  readonly url: string;
  readonly archived?: boolean;
  readonly expiresAt?: string | null;
  readonly expiredUrl?: string | null;
  readonly password?: string | null;
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
  readonly rewrite?: boolean;
  readonly clicks?: number | string;
}

const PAGE = 100;

export const DUB: ImportSource = {
  title: 'Dub: a key of its API, or its CSV export',
  reads: 'either',
  ofRow,
  read: (input) => (input.apiKey === null ? fromFile(input.file as string) : fromApi(input)),
};

async function* fromApi({ apiKey, baseUrl, interrupted, onWait }: SourceInput): AsyncIterable<SourceLink> {
  const base = baseOf(baseUrl, 'https://api.dub.co');
  for (let page = 1; ; page++) {
    const url = `${base}/links?page=${page}&pageSize=${PAGE}&sortBy=createdAt&sortOrder=asc&showArchived=true`;
    const links = await getJson<readonly DubLink[]>(url, { headers: { authorization: `Bearer ${apiKey}` }, interrupted, onWait });
    yield* links.map(linkOf);
    if (links.length < PAGE) return;
  }
}

/** Keys of Dub know no case unless a domain asks for it: they are kept as they are shown. `proxy` says that the card is the link's own. */
function linkOf(link: DubLink): SourceLink {
  const { domain, key, url, ios, android, title, description, image, comments, tags, createdAt, expiresAt, archived } = link;
  const { utm_source, utm_medium, utm_campaign, utm_term, utm_content, expiredUrl, password, geo, rewrite, clicks } = link;
  const card = link.proxy === true ? said({ title, description, image_url: image }) : {};
  return {
    id: `${domain}/${key}`,
    addresses: [{ host: domain.toLowerCase(), path: key }],
    fields: {
      destinations: said({ web: url, ios, android }),
      ...said({ utm_source, utm_medium, utm_campaign, utm_term, utm_content, title, comments, geo, password }),
      ...said({
        created_at: instantOf(createdAt),
        expires_at: instantOf(expiresAt),
        tags: tagsOf((tags ?? []).map(({ name }) => name)),
      }),
      ...(Object.keys(card).length === 0 ? {} : { card }),
      ...(archived === true ? { archived } : {}),
    },
    ...clicksOf(clicks),
    lost: namesSaid({ expiredUrl, rewrite }),
  };
}

const READ = new Set(
  'domain,key,short link,shortlink,link,url,destination url,ios,android,title,description,image,comments,tags,created at,createdat,created_at,expires at,expiresat,utm_source,utm_medium,utm_campaign,utm_term,utm_content,archived,clicks,id,proxy'.split(
    ',',
  ),
);

async function* fromFile(file: string): AsyncIterable<SourceLink> {
  for await (const row of csvRows(file)) yield ofRow(row);
}

function ofRow(row: CsvRow): SourceLink {
  const short = addressOf(firstOf(row, 'short link', 'shortlink', 'link'));
  const domain = firstOf(row, 'domain') || (short.host ?? '');
  if (domain === '') return withoutAddress('it has no "domain" and no short link; is the file an export of Dub?');
  const optional = (...columns: readonly string[]) => firstOf(row, ...columns) || null;
  const link = linkOf({
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
    expiresAt: optional('expires at', 'expiresat'),
    clicks: firstOf(row, 'clicks'),
    archived: firstOf(row, 'archived').toLowerCase() === 'true',
    proxy: firstOf(row, 'proxy') === '' ? firstOf(row, 'description', 'image') !== '' : firstOf(row, 'proxy').toLowerCase() === 'true',
    utm_source: optional('utm_source'),
    utm_medium: optional('utm_medium'),
    utm_campaign: optional('utm_campaign'),
    utm_term: optional('utm_term'),
    utm_content: optional('utm_content'),
  });
  return { ...link, lost: [...link.lost, ...unreadColumns(row, READ)] };
}
