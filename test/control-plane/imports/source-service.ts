import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Test } from 'tap';
import type { CsvRow, SourceInput, SourceLink } from '../../../control-plane/imports/sources/source-link.js';
import { SOURCES } from '../../../control-plane/imports/sources.js';

/** The links that a source reads from a service. `answer` returns a body, or a status and a body. */
export async function linksFrom(
  t: Test,
  source: string,
  answer: (url: URL, headers: IncomingHttpHeaders) => unknown,
  { file = null, onNote = () => {} }: Partial<Pick<SourceInput, 'file' | 'onNote'>> = {},
): Promise<readonly SourceLink[]> {
  const server = createServer((request, response) => {
    const answered = answer(new URL(request.url ?? '', 'http://localhost'), request.headers);
    const { status, body } = isWithStatus(answered) ? answered : { status: 200, body: answered };
    response.writeHead(status).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const links: SourceLink[] = [];
  const input = {
    file,
    apiKey: 'key',
    baseUrl,
    interrupted: new AbortController().signal,
    done: new Set<string>(),
    onWait: () => {},
    onNote,
    onRead: () => {},
  };
  for await (const link of SOURCES[source]?.read(input) ?? []) links.push(link);
  return links;
}

function isWithStatus(answered: unknown): answered is { readonly status: number; readonly body: unknown } {
  return typeof answered === 'object' && answered !== null && 'status' in answered && 'body' in answered;
}

/** The link that a row of the source's files describes. */
export function linkOfRow(source: string, row: CsvRow): SourceLink {
  const link = SOURCES[source]?.ofRow?.(row, 1);
  if (link === undefined) throw new Error(`${source} has no files of rows`);
  return link;
}

/** Answers like Dub: the number of links, one page of links, and no folders. */
export function dubOf(count: number, links: readonly object[]): (url: URL) => unknown {
  return ({ pathname }) => (pathname === '/links/count' ? count : pathname === '/folders' ? [] : links);
}

/** The answers with one link, for each source that is read page by page. `more` is merged over the required members of the link. */
export const ONE_LINK: Readonly<Record<string, (more: object) => (url: URL) => unknown>> = {
  rebrandly: (more) => (url) =>
    url.pathname === '/v1/workspaces'
      ? []
      : [{ id: '1', slashtag: 'a', destination: 'https://shop.example/', domainName: 'rebrand.ly', status: 'active', ...more }],
  dub: (more) => dubOf(1, [{ domain: 'dub.sh', key: 'a', url: 'https://shop.example/', ...more }]),
  shlink: (more) => () => ({
    shortUrls: { data: [{ shortCode: 'a', longUrl: 'https://shop.example/', ...more }], pagination: { pagesCount: 1 } },
  }),
  kutt: (more) => () => ({ data: [{ address: 'a', link: 'https://kutt.it/a', target: 'https://shop.example/', ...more }] }),
  bitly: (more) => (url) => {
    if (url.pathname === '/v4/groups') return { groups: [{ guid: 'G' }] };
    return { links: url.searchParams.get('archived') === 'on' ? [] : [{ id: 'bit.ly/a', long_url: 'https://shop.example/', ...more }] };
  },
};
