import { writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { getJson, SourceError } from '../../../../control-plane/imports/sources/source-api.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { dubOf, linksFrom } from '../source-service.js';

const SOURCES = ['bitly', 'rebrandly', 'dub', 'shlink', 'kutt', 'branch'];
const file = join(temporaryFolder(t), 'urls.txt');
writeFileSync(file, 'https://x.app.link/a\n');

t.test('an answer that is not as documented ends the import with a sentence', async (t) => {
  for (const source of SOURCES)
    for (const body of [null, 'x', 7, [null], { data: null }, { data: { a: 1 }, links: 'x', groups: 7, shortUrls: [] }]) {
      if (source === 'branch' && typeof body === 'object' && !Array.isArray(body) && body !== null) continue;
      await t.rejects(
        linksFrom(t, source, () => body, { file }),
        { name: 'SourceError', message: /^127\.0\.0\.1:\d+ returns something else than its documentation says; check the address$/ },
        `${source}: ${JSON.stringify(body)}`,
      );
    }
});

/** Two links of the service, of which the first is not as documented. */
const TWO: Readonly<Record<string, (url: URL) => unknown>> = {
  bitly: ({ pathname, searchParams }) =>
    pathname === '/v4/groups'
      ? { groups: [{ guid: 'G' }] }
      : {
          links:
            searchParams.get('archived') === 'on' ? [] : [{ tags: 7 }, { id: 'bit.ly/b', long_url: 'https://e.com/', custom_bitlinks: 7 }],
        },
  rebrandly: ({ pathname }) =>
    pathname === '/v1/workspaces' ? [] : [{}, { id: '2', slashtag: 'b', destination: 'https://e.com/', tags: [null] }],
  dub: dubOf(2, [{ tags: 'x' }, { domain: 'dub.sh', key: 'b', url: 'https://e.com/', tags: [null] }]),
  shlink: () => ({ shortUrls: { data: [{ shortCode: 5 }, { shortCode: 'b', longUrl: 'https://e.com/', meta: 'x' }] } }),
  kutt: () => ({ data: [{ link: null }, { address: 'b', link: 'https://kutt.it/b', target: 'https://e.com/' }] }),
};

t.test('a link that is not as documented fails alone', async (t) => {
  for (const [source, answer] of Object.entries(TWO)) {
    const links = await linksFrom(t, source, answer);
    t.match(
      links.map(({ fault, addresses }) => [fault, addresses[0]?.path]),
      [
        [/^the service returns a link without "/, undefined],
        [undefined, 'b'],
      ],
      source,
    );
  }
});

const numbers = (count: number) => Array.from({ length: count }, (_, at) => at);

/** Services that answer every page with the same links, and say that more follow. */
const REPEATING: Readonly<Record<string, (url: URL) => unknown>> = {
  bitly: ({ pathname, searchParams }) =>
    pathname === '/v4/groups'
      ? { groups: [{ guid: 'G' }] }
      : {
          links: [{ id: 'bit.ly/a', long_url: 'https://e.com/' }],
          pagination: { next: `/v4/groups/G/bitlinks?search_after=${searchParams.get('search_after') ?? ''}x` },
        },
  rebrandly: ({ pathname }) =>
    pathname === '/v1/workspaces' ? [] : numbers(25).map((id) => ({ id: `${id}`, slashtag: `r${id}`, destination: 'https://e.com/' })),
  dub: dubOf(
    100,
    numbers(100).map((key) => ({ domain: 'dub.sh', key: `${key}`, url: 'https://e.com/' })),
  ),
  shlink: ({ searchParams }) => ({
    shortUrls: {
      data: [{ shortCode: 'a', longUrl: 'https://e.com/' }],
      pagination: { pagesCount: Number(searchParams.get('page')) + 1, totalItems: 1 },
    },
  }),
  kutt: () => ({ data: numbers(50).map((at) => ({ address: `${at}`, link: `https://kutt.it/${at}`, target: 'https://e.com/' })) }),
};

t.test('a service that repeats a page for ever is asked for no more', { timeout: 20_000 }, async (t) => {
  for (const [source, answer] of Object.entries(REPEATING)) {
    let asked = 0;
    const counted = (url: URL) => {
      // Without this, a source that never ends would take all memory of the test.
      if (++asked > 50) return { status: 404, body: {} };
      return answer(url);
    };
    await t.rejects(linksFrom(t, source, counted), { name: 'SourceError', message: /that it has returned before$/ }, source);
    t.ok(asked < 10, `${source}: ${asked} requests`);
  }
});

async function errorOf(t: Test, answer: RequestListener): Promise<{ readonly error: unknown; readonly asked: number }> {
  let asked = 0;
  const server = createServer((request, response) => {
    asked++;
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const error: unknown = await getJson(url, { headers: {}, interrupted: AbortSignal.timeout(50_000) }).catch((error: unknown) => error);
  return { error, asked };
}

t.test('a redirect is not followed and not asked for again, and the message says where it leads', async (t) => {
  const moved = await errorOf(t, (_, response) => response.writeHead(301, { location: 'https://links.example/rest' }).end());
  t.match(moved, {
    asked: 1,
    error: { message: /^127\.0\.0\.1:\d+ answers 301 with a redirect to https:\/\/links\.example; pass the address/ },
  });
  t.ok(moved.error instanceof SourceError && moved.error.status === 301);
  t.match(await errorOf(t, (_, response) => response.writeHead(304).end()), { asked: 1, error: { message: /answers 304$/ } });
});

t.test('an answer without an end is read up to a bound, once', { timeout: 60_000 }, async (t) => {
  const { error, asked } = await errorOf(t, (_, response) => {
    const chunk = Buffer.alloc(1024 * 1024, 0x20);
    const write = () => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on('drain', write).writeHead(200);
    write();
  });
  t.match(error, { name: 'SourceError', message: /returns more than 16 MB at once; check the address$/ });
  t.equal(asked, 1);
});
