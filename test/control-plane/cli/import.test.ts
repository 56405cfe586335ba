import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { type ImportedLink, importTarget } from './import-target.js';

const { client, environment, fileOf, folder, json, run } = await importTarget(t);
const keyFile = fileOf('key.txt', 'secret-key\n');

/** The links of an environment as an export has them, oldest first. */
async function linksOf({ id }: { readonly id: string }): Promise<readonly ImportedLink[]> {
  const { stdout } = await run(`export links --env ${id} --format ndjson`);
  const links = stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as ImportedLink);
  return links.reverse();
}

interface Line {
  readonly row: number | null;
  readonly id: string;
  readonly outcome: string;
  readonly lost: readonly string[];
  readonly reason: string | null;
}

const linesOf = (report: string): readonly Line[] =>
  readFileSync(report, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line);

/** A service that answers with the value of `answer` for the path and query, and fails if that is null. */
async function service(t: Test, answer: (url: URL, request: IncomingMessage) => unknown): Promise<string> {
  const server = createServer((request, response) => {
    const body = answer(new URL(request.url ?? '', 'http://localhost'), request);
    response.writeHead(body === null ? 400 : 200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const CREATED = '2021-03-04T05:06:07.000Z';

t.test('an export that is imported into an empty environment is the same when exported again', async (t) => {
  const from = await environment();
  const to = await environment();
  const campaign = { key: 'spring', name: 'Spring', utm_source: 'mail', ends_at: '2040-01-01T00:00:00Z' };
  const campaigns = fileOf('campaigns.ndjson', `${JSON.stringify(campaign)}\n`);
  t.same((await json(['import', 'campaigns', '--env', from.id, '--file', campaigns])).value, { created: 1, exists: 0, failed: 0 });
  const source = fileOf(
    'links.csv',
    [
      'path;web;ios;aliases;title;tags;data;campaign;allow_param_passthrough;archived;expires_at;created_at;status;card_title;comments;active_from;max_clicks;geo;interstitial',
      `-dash;https://shop.example/;https://apps.apple.com/app/id1;${from.host}/sale/1.html, ${from.host}/ä;=1+1;a, b;{"n": 1};spring;yes;;2040-01-01T00:00:00Z;${CREATED};;Card;;2020-01-01T00:00:00Z;7;{"DE":"https://shop.example/de"};false`,
      `off;https://shop.example/off;;;;;;;;;;${CREATED};disabled;;"two\nlines";;;;`,
      `blanks;https://shop.example/blanks;;;"''-20%";;;;;;;${CREATED};;" card ";" two blanks ";;;;`,
      `old;https://shop.example/old;;;;;;;;true;;${CREATED};;;;;;;`,
    ].join('\n'),
  );
  const first = await json(['import', 'csv', '--env', from.id, '--file', source]);
  t.match(first.value, { created: 4, failed: 0, with_losses: 0 });
  t.equal(first.status, 0);
  for (const format of ['ndjson', 'csv']) {
    const file = join(folder, `exported.${format}`);
    t.equal((await run(['export', 'links', '--env', from.id, '--format', format, '--output', file])).status, 0);
    const target = format === 'csv' ? await environment() : to;
    const keys = join(folder, `campaigns-exported.${format}`);
    await run(['export', 'campaigns', '--env', from.id, '--format', format, '--output', keys]);
    t.same((await json(['import', 'campaigns', '--env', target.id, '--file', keys])).value, { created: 1, exists: 0, failed: 0 });
    const words = ['import', format, '--env', target.id, '--file', file, '--domain', `${from.host}=${target.host}`];
    const dry = await json([...words, '--dry-run']);
    t.match([dry.status, dry.value.created], [0, 4]);
    t.same(await linksOf(target), [], 'a dry run makes no link');
    t.match((await json(words)).value, { created: 4, failed: 0, with_losses: 0 });
    t.match((await json(words)).value, { created: 0, exists: 4 }, 'a second run finds the links');
    const without = ({ id, url, updated_at, aliases, ...link }: ImportedLink) => ({
      ...link,
      aliases: (aliases as { host: string; path: string }[]).map(({ path }) => path),
    });
    const byPath = (links: readonly ImportedLink[]) => links.map(without).sort((a, b) => (String(a.path) < String(b.path) ? -1 : 1));
    t.same(byPath(await linksOf(target)), byPath(await linksOf(from)), format);
    t.ok((await linksOf(target)).every(({ created_by }) => created_by === 'linkd import'));
    t.same((await client.query('SELECT key, utm_source, ends_at FROM campaigns WHERE environment_id = $1', [target.id])).rows, [
      { key: 'spring', utm_source: 'mail', ends_at: new Date('2040-01-01T00:00:00Z') },
    ]);
  }
});

t.test('Bitly: links are read from its API page by page, with custom bitlinks and archived links, and from its CSV', async (t) => {
  const target = await environment();
  const link = (number: number) => ({
    id: `bit.ly/b${number}`,
    long_url: `https://shop.example/${number}`,
    title: `Link ${number}`,
    created_at: CREATED,
    archived: false,
    tags: ['spring', 'a,b'],
    custom_bitlinks: number === 0 ? ['https://brand.example/sale.html'] : [],
    deeplinks: number === 1 ? [{ app_id: 'x' }] : [],
  });
  const base = await service(t, ({ pathname, searchParams }, { headers }) => {
    if (headers.authorization !== 'Bearer secret-key') return null;
    if (pathname === '/v4/groups') return { groups: [{ guid: 'G1' }] };
    if (searchParams.get('archived') === 'on') return { links: [{ ...link(900), archived: true }], pagination: { next: '' } };
    const page = Number(searchParams.get('page') ?? 1);
    const next = page < 3 ? `https://api-ssl.bitly.com/v4/groups/G1/bitlinks?page=${page + 1}` : '';
    return { links: Array.from({ length: 100 }, (_, index) => link((page - 1) * 100 + index)), pagination: { next } };
  });
  const report = join(folder, 'bitly.ndjson');
  const words = ['import', 'bitly', '--env', target.id, '--api-key-file', keyFile, '--base-url', base, '--domain', `bit.ly=${target.host}`];
  const { status, stdout } = await run(['--json', ...words, '--report', report]);
  t.equal(status, 1, 'the import ends with 1 because a deep link was lost');
  t.match(JSON.parse(stdout), { created: 301, with_losses: 1, failed: 0 });
  t.same(
    linesOf(report)
      .filter(({ lost }) => lost.length > 0)
      .map(({ row, id, lost }) => [row, id, lost]),
    [[null, 'bit.ly/b1', ['deeplinks']]],
  );
  const links = await linksOf(target);
  t.match(
    links.find(({ path }) => path === 'b0'),
    { title: 'Link 0', tags: ['spring', 'a b'], created_at: CREATED, aliases: [{ host: target.host, path: 'sale.html' }] },
  );
  t.equal(links.find(({ path }) => path === 'b900')?.archived, true);
  const file = fileOf(
    'bitly.csv',
    `Title,Long URL,Bitlink,Created,Tags\nMade,https://shop.example/csv,https://bit.ly/csv1,${CREATED},"x, y"\n`,
  );
  t.match((await json(['import', 'bitly', '--env', target.id, '--file', file])).value, { created: 1 });
  t.match(
    (await linksOf(target)).find(({ path }) => path === 'csv1'),
    { title: 'Made', tags: ['x', 'y'] },
  );
});

t.test('Rebrandly, Dub, Shlink and Kutt: links are read from each API with its own pages and fields', async (t) => {
  const count = 130;
  const all = Array.from({ length: count }, (_, index) => index);
  const page = (from: number, size: number) => all.slice(from, from + size);
  const services = {
    rebrandly: (url: URL) => {
      if (url.pathname === '/v1/workspaces') return [{ id: 'w1' }];
      const from = url.searchParams.has('last') ? Number(url.searchParams.get('last')) + 1 : 0;
      return page(from, 25).map((n) => ({
        ...{ id: String(n), title: `T${n}`, slashtag: `r${n}`, destination: `https://shop.example/${n}`, createdAt: CREATED },
        ...{ domainName: 'rebrand.ly', tags: [{ name: 'spring' }], status: 'active' },
      }));
    },
    dub: (url: URL) =>
      (url.pathname === '/links/count' && count) ||
      (url.pathname === '/folders' && []) ||
      page((Number(url.searchParams.get('page')) - 1) * 100, 100).map((n) => ({
        ...{
          domain: 'dub.sh',
          key: n === 0 ? 'a/deep.path' : `r${n}`,
          url: `https://shop.example/${n}`,
          createdAt: CREATED,
          proxy: n === 1,
        },
        ...{
          title: `T${n}`,
          ...(n === 1 ? { description: 'D', image: 'https://shop.example/i.png' } : {}),
          tags: [{ name: 'spring' }],
          password: n === 2 ? 'x' : null,
        },
        ...{
          ios: 'https://apps.apple.com/app/id1',
          utm_source: 'mail',
          expiresAt: '2040-01-01T00:00:00.000Z',
          geo: { DE: 'https://shop.example/de' },
        },
      })),
    shlink: (url: URL) => ({
      shortUrls: {
        data: page((Number(url.searchParams.get('page')) - 1) * 100, 100).map((n) => ({
          ...{
            shortCode: `r${n}`,
            shortUrl: `https://s.test/r${n}`,
            longUrl: `https://shop.example/${n}`,
            dateCreated: CREATED,
            domain: null,
          },
          ...{
            tags: ['spring'],
            title: `T${n}`,
            meta: { validSince: '2020-01-01T00:00:00+00:00', validUntil: null, maxVisits: n === 2 ? 5 : null },
            forwardQuery: n !== 1,
          },
        })),
        pagination: { currentPage: 1, pagesCount: 2, totalItems: count },
      },
    }),
    kutt: (url: URL) => ({
      data: page(Number(url.searchParams.get('skip')), 50).map((n) => ({
        ...{ address: `r${n}`, link: `https://kutt.it/r${n}`, target: `https://shop.example/${n}`, created_at: CREATED },
        ...{ description: 'D', password: n === 2, banned: false },
      })),
      total: count,
    }),
  };
  for (const [name, answer] of Object.entries(services)) {
    const target = await environment();
    const base = await service(t, (url, { headers }) =>
      [headers.apikey, headers['x-api-key'], headers.authorization?.replace('Bearer ', '')].includes('secret-key') ? answer(url) : null,
    );
    const report = join(folder, `${name}.ndjson`);
    const words = ['import', name, '--env', target.id, '--api-key-file', keyFile, '--base-url', base, '--report', report];
    const { value } = JSON.parse(`{"value":${(await run(['--json', ...words])).stdout}}`);
    t.match(value, { created: count, failed: 0, exists: 0 }, name);
    const links = await linksOf(target);
    t.equal(links.length, count, name);
    t.match(
      links.find(({ path }) => path === 'r5'),
      { created_at: CREATED, destinations: { web: 'https://shop.example/5' } },
      name,
    );
    if (name !== 'kutt')
      t.match(
        links.find(({ path }) => path === 'r5'),
        { title: 'T5', tags: ['spring'] },
        name,
      );
    const lost = linesOf(report).flatMap((line) => line.lost.map((field) => `${line.id} ${field}`));
    t.same(lost, { rebrandly: [], dub: [], shlink: [], kutt: ['kutt.it/r2 password'] }[name], name);
    if (name === 'shlink')
      t.same(
        [1, 3].map((n) => links.find(({ path }) => path === `r${n}`)?.allow_param_passthrough),
        [false, true],
      );
    if (name === 'dub') {
      t.match(links.find(({ aliases }) => (aliases as unknown[]).length > 0)?.aliases, [{ host: target.host, path: 'a/deep.path' }]);
      t.same(
        [1, 3].map((n) => (links.find(({ path }) => path === `r${n}`)?.card as { title: string } | null)?.title),
        ['T1', undefined],
      );
    }
    t.match((await json(words)).value, { created: 0, exists: count }, `${name}: a second run finds the links`);
  }
});

t.test('Firebase: links are read from the CSV of its export', async (t) => {
  const target = await environment();
  const file = fileOf(
    'acme.page.link.csv',
    [
      'Short link,link,apn,afl,amv,ibi,ifl,ius,ipfl,ipbi,isi,imv,efr,ofl,st,sd,si,utm_source,utm_medium,at,archived,name,created',
      `https://acme.page.link/Ab1,https://shop.example/p/42?x=1,com.acme,,,com.acme,,,,,123456789,,1,https://shop.example/desktop,Card,Text,https://shop.example/i.png,mail,email,,,Spring,${CREATED}`,
      'https://acme.page.link/sale/now,https://shop.example/sale,,https://shop.example/android,,,https://shop.example/ios,,,,,,,,,,http://plain.example/i.png,,,,true,,',
    ].join('\n'),
  );
  const report = join(folder, 'firebase.ndjson');
  const { status } = await run(['import', 'firebase', '--env', target.id, '--file', file, '--report', report]);
  t.equal(status, 1);
  t.same(
    linesOf(report).map(({ outcome, lost }) => [outcome, lost]),
    [
      ['created', []],
      ['created', ['card.image_url']],
    ],
  );
  const [second, first] = [...(await linksOf(target))].sort((a, b) => Number(Boolean(b.archived)) - Number(Boolean(a.archived)));
  t.match(first, {
    path: 'Ab1',
    deep_link_path: '/p/42?x=1',
    destinations: {
      web: 'https://shop.example/p/42?x=1',
      ios: 'https://apps.apple.com/app/id123456789',
      android: 'https://play.google.com/store/apps/details?id=com.acme',
      desktop: 'https://shop.example/desktop',
    },
    card: { title: 'Card', description: 'Text', image_url: 'https://shop.example/i.png' },
    utm_source: 'mail',
    title: 'Spring',
    interstitial: false,
    created_at: CREATED,
  });
  t.match(second, {
    aliases: [{ host: target.host, path: 'sale/now' }],
    destinations: { ios: 'https://shop.example/ios', android: 'https://shop.example/android' },
    archived: true,
  });
});

t.test('Branch: each URL of a file is requested from its API', async (t) => {
  const target = await environment();
  const base = await service(t, ({ searchParams }) =>
    searchParams.get('branch_key') !== 'secret-key'
      ? null
      : {
          data: {
            $og_title: 'Card',
            $fallback_url: `https://shop.example/?u=${searchParams.get('url')?.slice(-2)}`,
            $deeplink_path: 'p/1',
            product: 7,
            '~id': 1,
          },
          ...{ tags: ['spring'], campaign: 'c', channel: 'mail', feature: 'share', stage: 'new' },
        },
  );
  const file = fileOf('branch.txt', 'https://acme.app.link/a1\nhttps://acme.app.link/a2\n');
  await run(['import', 'branch', '--env', target.id, '--api-key-file', keyFile, '--file', file, '--base-url', base]);
  t.match(await linksOf(target), [
    {
      path: /^a[12]$/,
      deep_link_path: '/p/1',
      data: { product: 7 },
      utm_campaign: 'c',
      utm_source: 'mail',
      tags: ['spring'],
      card: { title: 'Card' },
    },
    { path: /^a[12]$/ },
  ]);
});

t.test('a link with a taken path fails, is skipped or becomes an alias on another host, as --on-collision says', async (t) => {
  for (const [collision, domain, outcome, paths] of [
    ['fail', [], 'failed', 1],
    ['skip', [], 'skipped', 1],
    // On the link host, the alias would have the same address as the existing link.
    ['alias', [], 'failed', 1],
    ['alias', ['--domain', 'old.example=go.acme.example'], 'aliased', 2],
  ] as const) {
    const target = await environment();
    await client.query('DELETE FROM domains');
    await client.query(
      `INSERT INTO domains (id, environment_id, hostname, status, txt_value, created_at, updated_at)
       VALUES ('dom_1', $1, 'go.acme.example', 'verified', 'x', now(), now())`,
      [target.id],
    );
    await run(['import', 'csv', '--env', target.id, '--file', fileOf('first.csv', 'path,web\ntaken,https://shop.example/first\n')]);
    const file = fileOf('second.csv', 'path,domain,web\ntaken,old.example,https://shop.example/second\n');
    const report = join(folder, `${collision}.ndjson`);
    const words = ['import', 'csv', '--env', target.id, '--file', file, '--on-collision', collision, '--report', report, ...domain];
    const { status } = await run(words);
    t.equal(status, outcome === 'aliased' ? 0 : 1, outcome);
    t.same(
      linesOf(report).map((line) => line.outcome),
      [outcome],
    );
    const links = await linksOf(target);
    t.equal(links.length, paths);
    if (outcome === 'aliased')
      t.ok(links.some(({ aliases }) => JSON.stringify(aliases) === JSON.stringify([{ host: 'go.acme.example', path: 'taken' }])));
    await run(words);
    t.equal((await linksOf(target)).length, paths, 'a second run makes no more links');
  }
});

t.test('an interrupted import is resumed without making a link twice', async (t) => {
  const target = await environment();
  let broken = true;
  const base = await service(t, ({ searchParams }) => {
    const skip = Number(searchParams.get('skip'));
    if (broken && skip >= 2100) return null;
    const length = Math.max(0, Math.min(50, 2500 - skip));
    return {
      data: Array.from({ length }, (_, n) => ({
        address: `k${skip + n}`,
        link: `https://kutt.it/k${skip + n}`,
        target: 'https://shop.example/',
        created_at: CREATED,
      })),
    };
  });
  const report = join(folder, 'cut.ndjson');
  const words = ['import', 'kutt', '--env', target.id, '--api-key-file', keyFile, '--base-url', base, '--report', report];
  const cut = await run(words);
  t.equal(cut.status, 4);
  t.match(cut.stderr, /answers 400; run the command again/);
  t.equal((await linksOf(target)).length, 2100, 'the links that were read are made');
  broken = false;
  const { value } = await json([...words, '--resume']);
  t.match(value, { created: 2500, exists: 0 }, 'the resumed import counts the links of both runs');
  t.equal((await linksOf(target)).length, 2500);
  t.equal(new Set(linesOf(report).map(({ id }) => id)).size, 2500);
});

t.test('a wrong command line says what is missing', async (t) => {
  const { id } = await environment();
  for (const [words, message] of [
    [['import', 'csv'], /needs --file/],
    [['import', 'kutt', '--base-url', 'https://x.example'], /needs --api-key-file/],
    [['import', 'kutt', '--api-key-file', keyFile], /needs --base-url/],
    [['import', 'kutt', '--api-key-file', keyFile, '--base-url', 'https://'], /--base-url: https:\/\/ is not the address of a server/],
    [['import', 'kutt', '--api-key-file', keyFile, '--base-url', 'ftp://x.example'], /is not the address of a server/],
    [['import', 'csv', '--file', 'x', '--domain', 'bit ly=go.acme.example'], /is not a pair/],
    [['import', 'bitly'], /needs --file or --api-key-file/],
    [
      ['import', 'bitly', '--api-key-file', fileOf('two.txt', 'one-key\nother-key\n')],
      /^linkd: \S+two.txt must contain one line with the API key/,
    ],
    [['import', 'csv', '--file', 'x', '--api-key-file', keyFile], /csv reads a file alone: leave --api-key-file out/],
    [['import', 'bitly', '--file', 'x', '--api-key-file', keyFile], /bitly reads a file or its API/],
    [['import', 'rebrandly', '--file', 'x', '--api-key-file', keyFile], /rebrandly is read from its API: leave --file out/],
    [['import', 'csv', '--file', '/nowhere.csv'], /ENOENT/],
    [['import', 'csv', '--file', 'x', '--domain', 'a'], /is not a pair/],
    [['import', 'csv', '--file', 'x', '--resume'], /needs --report/],
    [['import', 'csv', '--file', 'x', '--domain', 'bit.ly=elsewhere.example'], /elsewhere.example is neither the link host/],
    [['import', 'ndjson', '--file', fileOf('broken.ndjson', '{"path": \n')], /broken.ndjson/],
  ] as const) {
    const { status, stderr } = await run([...words, '--env', id]);
    t.not(status, 0);
    t.match(stderr, message, words.join(' '));
  }
});

t.test('rows without a path, with malformed fields or without destinations are imported or reported', async (t) => {
  const target = await environment();
  const rows = fileOf('odd.csv', 'web,data,colour,expires_at\nhttps://shop.example/1,not JSON,red,soon\nshop.example/2,,,\n');
  const report = join(folder, 'odd.report.ndjson');
  t.equal((await run(['import', 'csv', '--env', target.id, '--file', rows, '--report', report])).status, 1);
  t.same(
    linesOf(report).map(({ id, outcome, lost }) => [id, outcome, [...lost].sort()]),
    [
      ['number 1', 'created', ['colour', 'data', 'expires_at']],
      ['number 2', 'failed', []],
    ],
  );
  t.match(linesOf(report)[1]?.reason, /write https:\/\/shop.example\/2/, 'the reason is the message of the API');
  const objects = fileOf('odd.ndjson', '{"path":"no-destinations","destinations":{},"tags":["a"]}\n');
  t.equal((await run(['import', 'ndjson', '--env', target.id, '--file', objects])).status, 0);
  t.match(
    (await linksOf(target)).find(({ path }) => path === 'no-destinations'),
    { tags: ['a'] },
  );
});
