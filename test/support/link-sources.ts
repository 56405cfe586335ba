import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Test } from 'tap';
import { serveHttp } from './serve-http.js';

/** A service from which links are imported, with its API or its export as its public documentation describes it. */
export interface LinkSource {
  /** Its name in `linkd import`. */
  readonly name: string;
  /** Whether it reports how often each link was clicked. */
  readonly tellsClicks: boolean;
  /** Whether it reports when each link was created. */
  readonly tellsCreation: boolean;
  /** Prepares its links; returns the options with which `linkd import` reads them. */
  prepare(t: Test, links: number, folder: string): Promise<readonly string[]>;
}

const KEY = 'secret-key';

/**
 * The link with that number, the same in every service: paths of one segment, so that each is the path of a link. Dub's
 * are in lower case here.
 */
export const pathOf = (number: number) => `l${number}`;
export const webOf = (number: number) => `https://shop.example.com/items/${number}`;
export const clicksOf = (number: number) => number % 1000;
const createdAt = (number: number) => new Date(1_600_000_000_000 + number * 1000).toISOString();
const tagOf = (number: number) => `shelf ${number % 7}`;

/** Returns the numbers of a page, from 0. */
function page(from: number, size: number, links: number): readonly number[] {
  return Array.from({ length: Math.max(0, Math.min(size, links - from)) }, (_, index) => from + index);
}

/**
 * Pages like a database that pages by an offset and sorts equal keys in a different way for each page: the second page
 * begins with a link of the first.
 */
function tiedPage(from: number, size: number, links: number): readonly number[] {
  return from === size && from < links ? [from - 1, ...page(from + 1, size - 1, links)] : page(from, size, links);
}

type Answer = (url: URL, links: number) => unknown;

/** A server that answers requests that have the key where its API requires it. */
function api(name: string, answer: Answer, options: { readonly tellsClicks: boolean; readonly tellsCreation?: false }): LinkSource {
  return {
    name,
    tellsClicks: options.tellsClicks,
    tellsCreation: options.tellsCreation ?? true,
    async prepare(t, links, folder) {
      const { origin } = await serveHttp(t, (request, response) => {
        const url = new URL(request.url ?? '', 'http://localhost');
        const { headers } = request;
        const keys = [
          headers.apikey,
          headers['x-api-key'],
          headers.authorization?.replace('Bearer ', ''),
          url.searchParams.get('branch_key'),
        ];
        const body = keys.includes(KEY) ? answer(url, links) : null;
        response.writeHead(body === null ? 401 : 200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      });
      const key = join(folder, `${name}-key`);
      writeFileSync(key, KEY);
      return ['--api-key-file', key, '--base-url', origin];
    },
  };
}

/** A service that is read from a CSV file. */
export function fileSource(name: string, head: string, row: (number: number) => string, tellsClicks: boolean): LinkSource {
  return {
    name,
    tellsClicks,
    tellsCreation: true,
    async prepare(_, links, folder) {
      const path = join(folder, `${name}.csv`);
      writeFileSync(path, `${[head, ...page(0, links, links).map(row)].join('\n')}\n`);
      return ['--file', path];
    },
  };
}

const intOf = (url: URL, name: string, otherwise = 0) => Number(url.searchParams.get(name) ?? otherwise);

const BITLY: Answer = (url, links) => {
  if (url.pathname === '/v4/groups') return { groups: [{ guid: 'G1' }] };
  if (url.searchParams.get('archived') === 'on') return { links: [], pagination: { next: '' } };
  const from = intOf(url, 'search_after');
  const shown = page(from, 100, links).map((number) => ({
    ...{ id: `bit.ly/${pathOf(number)}`, long_url: webOf(number), created_at: createdAt(number), tags: [tagOf(number)], archived: false },
  }));
  const next = from + 100 < links ? `https://api-ssl.bitly.com/v4/groups/G1/bitlinks?size=100&archived=off&search_after=${from + 100}` : '';
  return { links: shown, pagination: { next } };
};

const REBRANDLY: Answer = (url, links) => {
  if (url.pathname === '/v1/workspaces') return [{ id: 'w1', name: 'Main Workspace', default: true }];
  return page(intOf(url, 'last', -1) + 1, 25, links).map((number) => ({
    ...{ id: String(number), slashtag: pathOf(number), destination: webOf(number), createdAt: createdAt(number), status: 'active' },
    ...{ domainName: 'rebrand.ly', tags: [{ name: tagOf(number) }], clicks: clicksOf(number) },
  }));
};

/** Services that list by an offset. The order that Kutt has, and those that Dub offers, may have ties. */
const dub =
  (list: typeof page): Answer =>
  (url, links) => {
    if (url.pathname === '/links/count') return links;
    if (url.pathname === '/folders') return [];
    return list((intOf(url, 'page') - 1) * 100, 100, links).map((number) => ({
      ...{ domain: 'dub.sh', key: pathOf(number), url: webOf(number), createdAt: createdAt(number) },
      ...{ tags: [{ name: tagOf(number) }], clicks: clicksOf(number) },
    }));
  };

const shlink =
  (list: typeof page): Answer =>
  (url, links) => ({
    shortUrls: {
      data: (url.searchParams.get('orderBy') === 'shortCode-ASC' ? page : list)((intOf(url, 'page') - 1) * 500, 500, links).map(
        (number) => ({
          ...{ shortCode: pathOf(number), longUrl: webOf(number), dateCreated: createdAt(number), domain: null, hasRedirectRules: false },
          ...{ tags: [tagOf(number)], visitsSummary: { total: clicksOf(number), nonBots: 0, bots: clicksOf(number) } },
        }),
      ),
      pagination: { currentPage: intOf(url, 'page'), pagesCount: Math.ceil(links / 500), totalItems: links },
    },
  });

const kutt =
  (list: typeof page): Answer =>
  (url, links) => ({
    data: list(intOf(url, 'skip'), 50, links).map((number) => ({
      ...{ address: pathOf(number), link: `https://kutt.it/${pathOf(number)}`, target: webOf(number), created_at: createdAt(number) },
      ...{ visit_count: clicksOf(number), password: false, banned: false },
    })),
    ...{ limit: 50, skip: intOf(url, 'skip'), total: links },
  });

const BRANCH_API = api(
  'branch',
  (url) => ({ data: { $fallback_url: webOf(Number(url.searchParams.get('url')?.replace(/^.*\/l/, ''))) } }),
  { tellsClicks: false, tellsCreation: false },
);

const BRANCH: LinkSource = {
  ...BRANCH_API,
  async prepare(t, links, folder) {
    const path = join(folder, 'branch.txt');
    writeFileSync(
      path,
      page(0, links, links)
        .map((number) => `https://acme.app.link/${pathOf(number)}\n`)
        .join(''),
    );
    return [...(await BRANCH_API.prepare(t, links, folder)), '--file', path];
  },
};

/** Every source that `linkd import` knows. */
export const LINK_SOURCES: readonly LinkSource[] = [
  fileSource(
    'firebase',
    'Short link,link,apn,isi,created',
    (number) => `https://acme.page.link/${pathOf(number)},${webOf(number)},com.acme,123456789,${createdAt(number)}`,
    false,
  ),
  api('bitly', BITLY, { tellsClicks: false }),
  api('rebrandly', REBRANDLY, { tellsClicks: true }),
  api('dub', dub(page), { tellsClicks: true }),
  api('shlink', shlink(page), { tellsClicks: true }),
  api('kutt', kutt(page), { tellsClicks: true }),
  BRANCH,
  fileSource(
    'csv',
    'path,web,created_at,tags,clicks',
    (number) => `${pathOf(number)},${webOf(number)},${createdAt(number)},${tagOf(number)},${clicksOf(number)}`,
    true,
  ),
];

/**
 * The same services while their order has ties, with the number of links that a reader misses who requests their pages
 * one after the other.
 */
export const TIED_SOURCES: readonly { readonly source: LinkSource; readonly missing: number }[] = [
  { source: api('dub', dub(tiedPage), { tellsClicks: true }), missing: 1 },
  { source: api('kutt', kutt(tiedPage), { tellsClicks: true }), missing: 1 },
  // Sorted by its codes, it has no ties.
  { source: api('shlink', shlink(tiedPage), { tellsClicks: true }), missing: 0 },
];
