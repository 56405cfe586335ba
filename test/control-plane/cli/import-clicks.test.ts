import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { postgresClicks } from '../../../control-plane/click-store/postgres-store.js';
import { erasePeople } from '../../../control-plane/erasure/erase.js';
import { linkStats } from '../../../control-plane/stats/link-stats.js';
import { openPooledDatabase } from '../../support/open-database.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { commandLine } from './command-line.js';

const { url, client, database } = await openPooledDatabase(t);
const { run, json } = commandLine(t, url);
const folder = temporaryFolder(t);
const CREATED = '2021-03-04T05:06:07.000Z';

interface Environment {
  readonly id: string;
  readonly number: number;
}

let projects = 0;

async function environment(): Promise<Environment> {
  const host = `clicks${++projects}.example.com`;
  await json(`project create --name Shop --live-host ${host} --test-host test-${host}`);
  const { rows } = await client.query<Environment>('SELECT id, number FROM environments WHERE link_host = $1', [host]);
  return rows[0] as Environment;
}

const fileOf = (name: string, text: string): string => {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
};

/** The figures that the statistics of each link show, by its path. */
async function importedOf({ id }: Environment): Promise<Readonly<Record<string, unknown>>> {
  const { rows } = await client.query<{ id: string; path: string }>('SELECT id, path FROM links WHERE environment_id = $1', [id]);
  const shown = rows.map(async (link) => {
    const stats = await linkStats({ database, clickStore: postgresClicks }, { id: link.id, environment_id: id }, '7d', Date.now());
    t.same(stats.totals, { all: 0, human: 0, unique: 0 }, 'imported clicks are in no other figure');
    return [link.path, stats.imported] as const;
  });
  return Object.fromEntries(await Promise.all(shown));
}

async function service(t: Test, answer: () => unknown): Promise<readonly string[]> {
  const server = createServer((_, response) => response.writeHead(200).end(JSON.stringify(answer())));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return ['--api-key-file', fileOf('key.txt', 'secret'), '--base-url', address];
}

const total = (source: string, clicks: number) => ({ clicks, by_source: [{ source, clicks }] });
const NONE = { clicks: 0, by_source: [] };

t.test('earlier clicks are imported from each service that reports them, and the last import replaces former ones', async (t) => {
  let clicks = 41;
  const link = { createdAt: CREATED, clicks };
  const answers = {
    dub: () => [{ ...link, domain: 'dub.sh', key: 'a', url: 'https://shop.example/', clicks }],
    rebrandly: () => [
      { ...link, id: '1', slashtag: 'a', destination: 'https://shop.example/', domainName: 'r.ly', status: 'active', clicks },
    ],
    kutt: () => ({
      data: [{ address: 'a', link: 'https://kutt.it/a', target: 'https://shop.example/', created_at: CREATED, visit_count: clicks }],
    }),
    shlink: () => ({
      shortUrls: {
        data: [
          { shortCode: 'a', longUrl: 'https://shop.example/', dateCreated: CREATED, visitsSummary: { total: clicks, nonBots: 1, bots: 2 } },
          { shortCode: 'old', longUrl: 'https://shop.example/', dateCreated: CREATED, visitsCount: clicks },
        ],
        pagination: { pagesCount: 1 },
      },
    }),
  };
  for (const [name, answer] of Object.entries(answers)) {
    const target = await environment();
    const words = ['import', name, '--env', target.id, ...(await service(t, answer))];
    for (const now of [41, 1_000_000_007]) {
      clicks = now;
      t.equal((await run(words)).status, 0, name);
      const imported = await importedOf(target);
      t.same(imported.a, total(name, now), name);
      if (name === 'shlink') t.same(imported.old, total(name, now), 'clicks are read from an older Shlink server too');
    }
  }
});

t.test('earlier clicks are read from a CSV column, and malformed numbers are reported', async (t) => {
  const bitly = await environment();
  const file = fileOf('bitly.csv', `Bitlink,Long URL,Created,Total Clicks\nbit.ly/b,https://shop.example/,${CREATED},"12,345"\n`);
  t.equal((await run(['import', 'bitly', '--env', bitly.id, '--file', file])).status, 0);
  t.same(await importedOf(bitly), { b: total('bitly', 12_345) });
  const target = await environment();
  const rows = ['path,web,created_at,clicks'];
  for (const [path, clicks] of [
    ['some', '7'],
    ['none', ''],
    ['zero', '0'],
    ['text', 'many'],
    ['below', '-1'],
    ['part', '1.5'],
    ['huge', '99999999999999999999'],
  ])
    rows.push(`${path},https://shop.example/,${CREATED},${clicks}`);
  const report = join(folder, 'own.ndjson');
  const done = await json(['import', 'csv', '--env', target.id, '--file', fileOf('own.csv', rows.join('\n')), '--report', report]);
  t.match([done.status, done.value], [1, { created: 7, with_losses: 4 }]);
  t.same(await importedOf(target), {
    ...{ some: total('csv', 7), none: NONE, zero: total('csv', 0), text: NONE, below: NONE, part: NONE, huge: NONE },
  });
});

t.test('earlier clicks by day and service survive an export and an import into an empty environment', async (t) => {
  const from = await environment();
  const link = (path: string, imported_clicks: unknown) =>
    `${JSON.stringify({ path, destinations: { web: 'https://shop.example/' }, created_at: CREATED, imported_clicks })}\n`;
  const days = [
    { source: 'bitly', day: null, clicks: 5 },
    { source: 'dub', day: '2024-02-29', clicks: 3 },
    { source: 'dub', day: '2024-03-01', clicks: 1 },
  ];
  const words = (target: Environment, file: string, format = 'ndjson') => ['import', format, '--env', target.id, '--file', file];
  t.equal((await run(words(from, fileOf('days.ndjson', link('a', days) + link('b', []))))).status, 0);
  const shown = {
    a: {
      clicks: 9,
      by_source: [
        { source: 'bitly', clicks: 5 },
        { source: 'dub', clicks: 4 },
      ],
    },
    b: NONE,
  };
  t.same(await importedOf(from), shown);
  const rowsOf = async ({ id }: Environment) =>
    (
      await client.query(
        'SELECT path, source, day::text, imported_clicks.clicks::integer FROM imported_clicks JOIN links ON links.id = link_id WHERE environment_id = $1 ORDER BY 1, 2, 3',
        [id],
      )
    ).rows;
  for (const format of ['ndjson', 'csv']) {
    const file = join(folder, `exported.${format}`);
    t.equal((await run(['export', 'links', '--env', from.id, '--format', format, '--output', file])).status, 0);
    const to = await environment();
    for (let times = 0; times < 2; times++) t.equal((await run(words(to, file, format))).status, 0);
    t.same(await importedOf(to), shown, format);
    t.same(await rowsOf(to), await rowsOf(from), format);
  }
  const fewer = [{ source: 'dub', day: '2024-03-01', clicks: 2 }];
  t.equal((await run(words(from, fileOf('fewer.ndjson', link('a', fewer))))).status, 0);
  t.match(await importedOf(from), { a: { clicks: 7 } }, 'days that the source no longer has are removed, and other sources are kept');
  const wrong = [
    { source: 'dub', day: '2023-02-29', clicks: 1 },
    { source: '', day: null, clicks: 1 },
    { source: 'x', clicks: -1 },
    null,
    7,
  ];
  for (const [index, value] of [...wrong.map((one) => [one]), 'text', { source: 'x' }].entries()) {
    const other = await environment();
    t.equal((await run(words(other, fileOf(`wrong-${index}.ndjson`, link('a', value))))).status, 1, JSON.stringify(value));
    t.same(await importedOf(other), { a: NONE });
  }
});

t.test('earlier clicks are deleted by an erasure and with their link', async (t) => {
  const target = await environment();
  const file = fileOf('gone.csv', `path,web,created_at,clicks\na,https://shop.example/,${CREATED},7\n`);
  const again = () => run(['import', 'csv', '--env', target.id, '--file', file]);
  await again();
  t.match(await erasePeople({ database, clickStore: postgresClicks }, { ...target } as Parameters<typeof erasePeople>[1]), {
    imported_clicks: 1,
  });
  t.same(await importedOf(target), { a: NONE });
  await again();
  t.same(await importedOf(target), { a: total('csv', 7) });
  await client.query('DELETE FROM links WHERE environment_id = $1', [target.id]);
  t.equal(
    (await client.query(`SELECT 1 FROM imported_clicks JOIN links ON links.id = link_id WHERE environment_id = $1`, [target.id])).rowCount,
    0,
  );
});
