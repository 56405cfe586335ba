import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join, relative } from 'node:path';
import t from 'tap';
import { importTarget, type ReportLine } from './import-target.js';

/** Tests of imports that are tried, repeated and resumed, and of their reports. */

const { client, environment: newEnvironment, fileOf: namedFile, folder, json, run } = await importTarget(t);
let names = 0;
const fresh = (end: string) => join(folder, `${++names}-${end}`);
const fileOf = (text: string) => namedFile(`${++names}-source.csv`, text);
/** Returns the id of a new environment. */
const environment = async () => (await newEnvironment()).id;

const linesOf = (report: string): readonly ReportLine[] =>
  readFileSync(report, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as ReportLine);

const outcomesOf = (report: string) => linesOf(report).map(({ outcome }) => outcome);

async function pathsOf(environmentId: string): Promise<readonly string[]> {
  const { rows } = await client.query<{ path: string }>('SELECT path FROM links WHERE environment_id = $1 ORDER BY path', [environmentId]);
  return rows.map(({ path }) => path);
}

t.test('a repeated row within one batch is one link, for each handling of taken paths', async (t) => {
  const taken = fileOf('path,web\ntaken,https://shop.example/other\n');
  const file = fileOf(
    [
      'path,web,created_at,aliases,clicks,domain',
      ...['a,https://shop.example/a,2021-03-04T05:06:07Z,,1', 'a,https://shop.example/a,2021-03-04T05:06:07Z,,2'],
      ...['a/b.html,https://shop.example/b,,,', 'a/b.html,https://shop.example/b,,,'],
      ...['taken,https://shop.example/mine,,,,bit.ly', 'taken,https://shop.example/mine,,,,bit.ly'],
    ].join('\n'),
  );
  for (const [collision, third] of [
    ['fail', ['failed', 'failed']],
    ['skip', ['skipped', 'skipped']],
    ['alias', ['aliased', 'exists']],
  ] as const) {
    const env = await environment();
    await run(['import', 'csv', '--env', env, '--file', taken]);
    const domain = `${collision}.acme.example`;
    await client.query(
      `INSERT INTO domains (id, environment_id, hostname, status, txt_value, created_at, updated_at)
       VALUES ('dom_' || $2, $1, $2, 'verified', 'x', now(), now())`,
      [env, domain],
    );
    const words = ['import', 'csv', '--env', env, '--file', file, '--on-collision', collision, '--domain', `bit.ly=${domain}`];
    const wanted = ['created', 'exists', 'created', 'exists', ...third];
    for (const more of [['--dry-run'], []]) {
      const report = fresh('report.ndjson');
      await run([...words, '--report', report, ...more]);
      t.same(outcomesOf(report), wanted, `${collision} ${more}`);
    }
    t.equal((await pathsOf(env)).length, collision === 'alias' ? 4 : 3, collision);
    const { rows } = await client.query(
      'SELECT clicks::integer FROM imported_clicks JOIN links ON links.id = link_id WHERE environment_id = $1',
      [env],
    );
    t.same(rows, [{ clicks: 2 }], 'the clicks of the last row are kept, as in another run');
  }
});

t.test('a repeated import reports the same losses as the first', async (t) => {
  const env = await environment();
  const file = fileOf(
    [
      'path,web,ios,card_image_url,expires_at,created_at,colour,password',
      'whole,https://shop.example/,,,,2021-03-04T05:06:07Z,,sesame',
      'less,https://shop.example/,no URL,http://plain.example/i.png,soon,2021-03-04T05:06:07Z,red,',
      'later,https://shop.example/,,,,2921-03-04T05:06:07Z,,',
      ...Array.from({ length: 20 }, (_, index) => `p${index},https://shop.example/,,,,2021-03-04T05:06:07Z,,sesame`),
    ].join('\n'),
  );
  const lost = [
    [],
    ['card.image_url', 'colour', 'destinations.ios', 'expires_at'],
    ['created_at'],
    ...Array.from({ length: 20 }, () => []),
  ];
  for (const [outcome, count] of [
    ['created', { created: 23, exists: 0 }],
    ['exists', { created: 0, exists: 23 }],
  ] as const)
    for (const more of [['--dry-run'], []]) {
      const report = fresh('report.ndjson');
      const { status, value } = await json(['import', 'csv', '--env', env, '--file', file, '--report', report, ...more]);
      t.match(value, { ...count, with_losses: 2, failed: 0 });
      t.equal(status, 1, 'the import ends with 1 because of losses');
      t.same(
        linesOf(report).map((line) => [line.outcome, [...line.lost].sort()]),
        lost.map((names) => [outcome, names]),
      );
    }
});

/** Adds a verified domain to the environment. */
async function domainOf(environmentId: string, hostname: string): Promise<void> {
  await client.query(
    `INSERT INTO domains (id, environment_id, hostname, status, txt_value, created_at, updated_at)
     VALUES ('dom_' || $2, $1, $2, 'verified', 'x', now(), now())`,
    [environmentId, hostname],
  );
}

t.test('one path on two domains is two links, in one batch, in a dry run and in a repeated import', async (t) => {
  const env = await environment();
  const [first, second] = [`a${++names}.example.com`, `b${names}.example.com`];
  await domainOf(env, first);
  await domainOf(env, second);
  const file = fileOf(
    ['path,domain,web,title,clicks', `sale,${first},https://x.example/,A,10`, `sale,${second},https://x.example/,B,20`].join('\n'),
  );
  for (const [more, outcomes] of [
    [['--dry-run'], ['created', 'aliased']],
    [[], ['created', 'aliased']],
    [['--dry-run'], ['exists', 'exists']],
    [[], ['exists', 'exists']],
  ] as const) {
    const report = fresh('report.ndjson');
    await run(['import', 'csv', '--env', env, '--file', file, '--on-collision', 'alias', '--report', report, ...more]);
    t.same(outcomesOf(report), outcomes);
    t.same(
      linesOf(report).flatMap(({ lost }) => lost),
      [],
    );
  }
  const { rows } = await client.query(
    `SELECT title, aliases ->> 0 AS alias, clicks::integer FROM links JOIN imported_clicks ON link_id = links.id
     WHERE environment_id = $1 ORDER BY title`,
    [env],
  );
  t.match(rows, [
    { title: 'A', alias: null, clicks: 10 },
    { title: 'B', alias: new RegExp(second), clicks: 20 },
  ]);
  // A link that was moved to another host here still counts as the imported one.
  await client.query("UPDATE links SET domain = $2, updated_at = now() WHERE environment_id = $1 AND title = 'A'", [env, second]);
  const report = fresh('report.ndjson');
  await run(['import', 'csv', '--env', env, '--file', file, '--on-collision', 'alias', '--report', report]);
  t.same(outcomesOf(report), ['exists', 'exists']);
});

t.test('a repeated import reports what the source has now and the links lack', async (t) => {
  const { id: env, host } = await newEnvironment();
  const row = (link: Readonly<Record<string, unknown>>) => `${JSON.stringify({ path: 'a', ...link })}\n`;
  const lostIn = async (text: string, ...more: readonly string[]) => {
    const report = fresh('report.ndjson');
    const file = namedFile(`${++names}-source.ndjson`, text);
    const { status } = await run(['import', 'ndjson', '--env', env, '--file', file, '--report', report, ...more]);
    const [line] = linesOf(report);
    return { status, outcome: line?.outcome, lost: line?.lost };
  };
  const web = 'https://shop.example/a';
  const before = { destinations: { web, android: 'https://shop.example/b' }, campaign: 'spring', tags: ['one'], card: { title: 'T' } };
  t.same(await lostIn(row(before)), { status: 1, outcome: 'created', lost: ['campaign'] });
  await client.query(
    `INSERT INTO campaigns (id, environment_id, key, name, utm_source, created_at, updated_at)
     VALUES ('cmp_' || $1, $1, 'spring', 'Spring', 'x', now(), now())`,
    [env],
  );
  const still = { status: 1, outcome: 'exists', lost: ['campaign'] };
  t.same(await lostIn(row(before)), still, 'a link without its campaign is reported although the campaign exists now');
  t.same(await lostIn(row(before), '--dry-run'), still, 'a dry run reports the same');
  const { campaign: _, ...whole } = before;
  t.same(await lostIn(row(whole)), { status: 0, outcome: 'exists', lost: [] });
  const now = {
    destinations: { web, android: 'https://shop.example/c', ios: 'https://shop.example/i' },
    ...{ tags: ['one', 'two'], card: { title: 'U' }, title: 'New', password: 'sesame', geo: { DE: 'https://shop.example/de' } },
    aliases: [{ host, path: 'sale' }],
  };
  const changed = ['aliases', 'card.title', 'destinations.android', 'destinations.ios', 'geo.DE', 'password', 'tags', 'title'];
  const repeated = await lostIn(row(now));
  t.same({ ...repeated, lost: [...(repeated.lost ?? [])].sort() }, { status: 1, outcome: 'exists', lost: changed });
  t.same(
    await lostIn(row(whole) + row({ ...whole, tags: ['three'] })),
    { status: 1, outcome: 'exists', lost: [] },
    'a later row for the same link is compared with the first one',
  );
  await client.query("UPDATE links SET updated_at = now() WHERE environment_id = $1 AND path = 'a'", [env]);
  t.same(await lostIn(row(now)), { status: 0, outcome: 'exists', lost: [] }, 'a link that was changed here has no losses');
});

const TWO = ['path,web,expires_at', 'a,https://shop.example/a,', 'b,https://shop.example/b,soon'];

t.test('a resumed import skips no link because of a dry run or a report of another environment', async (t) => {
  const [first, second] = [await environment(), await environment()];
  const report = fresh('report.ndjson');
  const words = (env: string) => ['import', 'csv', '--env', env, '--file', fileOf(TWO.join('\n')), '--report', report];
  t.match((await json([...words(first), '--dry-run'])).value, { created: 2 });
  t.match(linesOf(report), [
    { env: first, dry_run: true },
    { env: first, dry_run: true },
  ]);
  const made = await json([...words(first), '--resume']);
  t.match(made, { status: 1, value: { created: 2, exists: 0, with_losses: 1 } });
  t.same(await pathsOf(first), ['a', 'b'], 'a resumed import after a dry run makes the links');
  t.match((await json([...words(second), '--resume'])).value, { created: 2, exists: 0 });
  t.same(await pathsOf(second), ['a', 'b'], 'a resumed import with the report of another environment makes the links');
  t.notMatch(linesOf(report).at(-1), { dry_run: true });
  t.match(
    (await json([...words(first), '--resume', '--dry-run'])).value,
    { created: 0, exists: 2 },
    'a resumed dry run reports every link',
  );
  t.match((await json([...words(first), '--resume'])).value, { created: 2, exists: 0 });
});

t.test('a resumed import counts all runs and ends with the exit code of the whole', async (t) => {
  const env = await environment();
  const report = fresh('report.ndjson');
  const words = (rows: readonly string[]) => ['import', 'csv', '--env', env, '--file', fileOf(rows.join('\n')), '--report', report];
  const bad = ['c,shop.example/c,', ',shop.example/none,', 'd,shop.example/d,soon'];
  // What a link that was not created lacks is not counted.
  t.match(await json(words([...TWO, ...bad])), { status: 1, value: { created: 2, failed: 3, with_losses: 1 } });
  const resumed = await json([...words([...TWO, ...bad]), '--resume']);
  t.match(resumed, { status: 1, value: { created: 2, exists: 0, failed: 3, with_losses: 1 } }, 'a link that fails again is counted once');
  t.match(resumed.stderr, /: 3 links were not imported, and 1 link was imported incompletely; see /);
  const good = ['c,https://shop.example/c,', ',https://shop.example/none,', 'd,https://shop.example/d,'];
  const last = { created: 5, exists: 0, failed: 0, with_losses: 1 };
  t.match(
    await json([...words([...TWO, ...good]), '--resume']),
    { status: 1, value: last },
    'the loss of a link that is done still counts',
  );
  // Simulates a killed run, whose last line is cut off.
  writeFileSync(report, readFileSync(report, 'utf8').trimEnd().slice(0, -20));
  t.match(await json([...words([...TWO, ...good]), '--resume']), { status: 1, value: { ...last, created: 4, exists: 1 } });
});

t.test('a report that cannot be written or read is an error before any link is made', async (t) => {
  const env = await environment();
  const file = fileOf(TWO.join('\n'));
  const words = (report: string) => ['import', 'csv', '--env', env, '--file', file, '--report', report];
  const nowhere = join(folder, 'nowhere', 'report.ndjson');
  for (const more of [[], ['--resume']]) {
    t.match(await run([...words(nowhere), ...more]), { status: 3, stderr: `linkd: ${nowhere}: ENOENT\n` });
    t.match(await run([...words(folder), ...more]), { status: 1, stderr: `linkd: ${folder}: EISDIR\n` });
  }
  const other = fresh('link-to-file');
  symlinkSync(file, other);
  for (const same of [file, `${folder}/./${basename(file)}`, relative('', file), other])
    t.match(await run(words(same)), { status: 2, stderr: /--report is the same file as the one to import/ }, same);
  t.match(await run(['import', 'bitly', '--env', env, '--api-key-file', file, '--report', relative('', file)]), {
    status: 2,
    stderr: /--report is the same file as the one with the API key/,
  });
  t.equal(readFileSync(file, 'utf8'), TWO.join('\n'), 'the file is as it was');
  t.same(await pathsOf(env), []);
  t.match(await run(words('/dev/full')), { status: 1, stderr: 'linkd: /dev/full: ENOSPC\n' }, 'a full disk is an error');
  const report = fresh('report.ndjson');
  t.match((await json([...words(report), '--resume'])).value, { exists: 2 }, 'a missing report is created');
  t.equal(linesOf(report).length, 2);
});

t.test('Branch: a dead URL fails alone, and a resumed import requests only URLs that are not done', async (t) => {
  const env = await environment();
  const asked: string[] = [];
  let refusing = true;
  let busy = false;
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://localhost').searchParams.get('url') ?? '';
    const name = url.replace('https://acme.app.link/', '');
    asked.push(name);
    if (name === 'three' && busy) {
      busy = false;
      response.writeHead(429, { 'retry-after': '5' }).end();
      return;
    }
    const status = name === 'late' && refusing ? 403 : Number(/^dead(\d+)$/.exec(name)?.[1] ?? 200);
    response.writeHead(status).end(JSON.stringify({ data: { $fallback_url: `https://shop.example/${name}` } }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  const base = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const names = ['one', 'dead404', 'dead410', 'dead400', 'two', 'late', 'three'];
  const file = fileOf(names.map((name) => `https://acme.app.link/${name}\n`).join(''));
  const report = fresh('report.ndjson');
  const words = [
    'import',
    'branch',
    '--env',
    env,
    '--api-key-file',
    fileOf('key_live_secret\n'),
    '--file',
    file,
    '--base-url',
    `http://${base}`,
    '--report',
    report,
  ];
  t.match(await run(words), { status: 4, stderr: `linkd: ${base} answers 403; run the command again to continue\n` });
  t.same(await pathsOf(env), ['one', 'two'], 'the links that were read are made');
  t.same(
    linesOf(report).map(({ row, outcome, reason }) => [row, outcome, reason]),
    [[1, 'created', null], ...[404, 410, 400].map((status, at) => [at + 2, 'failed', `${base} answers ${status}`]), [5, 'created', null]],
  );
  refusing = false;
  asked.length = 0;
  busy = true;
  t.match(await json([...words, '--resume']), {
    ...{ status: 1, value: { created: 4, exists: 0, failed: 3 } },
    stderr: new RegExp(`^linkd: ${base} answers 429; trying again in 5 s\n`),
  });
  t.same(asked, ['dead404', 'dead410', 'dead400', 'late', 'three', 'three']);
  t.same(await pathsOf(env), ['late', 'one', 'three', 'two']);
});

t.test('a resumed import distinguishes links that have only aliases by their hosts', async (t) => {
  const env = await environment();
  for (const host of ['a.resumed.example', 'b.resumed.example'])
    await client.query(
      `INSERT INTO domains (id, environment_id, hostname, status, txt_value, created_at, updated_at)
       VALUES ('dom_' || $2, $1, $2, 'verified', 'x', now(), now())`,
      [env, host],
    );
  const rows = ['web,aliases', 'https://shop.example/a,a.resumed.example/sale', 'https://shop.example/b,b.resumed.example/sale'];
  const report = fresh('report.ndjson');
  const words = ['import', 'csv', '--env', env, '--report', report, '--on-collision', 'alias'];
  // The second row is imported after the first one has been reported.
  await run([...words, '--file', fileOf(rows.slice(0, 2).join('\n'))]);
  const { status } = await run([...words, '--resume', '--file', fileOf(rows.join('\n'))]);
  t.equal(status, 0);
  t.same(
    linesOf(report).map(({ id, outcome }) => [id, outcome]),
    [
      ['a.resumed.example/sale', 'created'],
      ['b.resumed.example/sale', 'aliased'],
    ],
  );
  t.equal((await pathsOf(env)).length, 2);
});
