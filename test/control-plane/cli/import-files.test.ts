import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { importTarget, type ReportLine } from './import-target.js';

const { environment, fileOf, folder, imported, json, linksOf, run } = await importTarget(t);

t.test('a file that is not UTF-8 or has no known column is refused before anything is made', async (t) => {
  const { id } = await environment();
  const rows = `path,title\n${Array.from({ length: 1500 }, (_, at) => `p${at},T\n`).join('')}last,Caf\u00e9\n`;
  for (const [text, message] of [
    [Buffer.from(rows, 'latin1'), /links.csv: it is not UTF-8 text/],
    [Buffer.from(rows, 'utf16le'), /links.csv: it is not UTF-8 text/],
    ['colour,size\nred,1\n', /links.csv: its first line has no known column, such as path, domain/],
  ] as const) {
    const { status, stderr } = await run(['import', 'csv', '--env', id, '--file', fileOf('links.csv', text)]);
    t.equal(status, 1);
    t.match(stderr, message);
  }
  t.same(await linksOf({ id }), []);
  const campaigns = fileOf('campaigns.csv', 'colour,size\nred,1\n');
  t.match(await run(['import', 'campaigns', '--env', id, '--file', campaigns]), { status: 1, stderr: /no known column/ });
});

t.test('a line of NDJSON that is not JSON fails alone, unless it is the first one', async (t) => {
  const { id } = await environment();
  const line = (path: string) => `{"path":"${path}","destinations":{"web":"https://shop.example/"}}`;
  const text = [line('one'), '{"path"', '', `${line('two')},`, line('three')].join('\r\n');
  const lines = await imported(['ndjson', '--env', id], text);
  t.match(lines, [
    { id: '/one', outcome: 'created' },
    { id: 'number 2', outcome: 'failed', reason: 'line 2 is not JSON' },
    { id: 'number 3', outcome: 'failed', reason: 'line 4 is not JSON' },
    { id: '/three', outcome: 'created' },
  ]);
  const file = fileOf('pretty.ndjson', `\n{\n"links": [\n${line('four')}\n]}\n`);
  t.match(await run(['import', 'ndjson', '--env', id, '--file', file]), { status: 1, stderr: /pretty\.ndjson: line 2 is not JSON/ });
  t.equal((await linksOf({ id })).length, 2);
});

t.test('an import that fails within a file says what it has done before', async (t) => {
  const { id } = await environment();
  const words = ['import', 'csv', '--env', id, '--file'];
  const cut = fileOf('cut.csv', 'path,web,title\na,https://shop.example/,A\nb,https://shop.example/,"B\n');
  t.match(await run([...words, cut]), { status: 1, stdout: /^created +1\n/, stderr: /cut\.csv: the row in line 3 has a quote/ });
  t.match(await run([...words, fileOf('other.csv', 'colour\nred\n')]), { status: 1, stdout: '' });
});

t.test('rows with only empty cells are skipped', async (t) => {
  const { id } = await environment();
  const lines = await imported(['csv', '--env', id], 'path,web\n,\none,https://shop.example/\n" ", ,\n\n,,,\ntwo,https://shop.example/\n');
  t.match(lines, [
    { id: '/one', outcome: 'created' },
    { id: '/two', outcome: 'created' },
  ]);
  t.equal((await linksOf({ id })).length, 2);
});

t.test('a report names the row of each link, also of one that its row does not name', async (t) => {
  const { id } = await environment();
  for (const [source, text, lines] of [
    ['csv', 'path,web,colour\n,,\none,https://shop.example/,\n\ntwo,none,\nthree,https://shop.example/,red\n', ['/one', '/two', '/three']],
    ['ndjson', '{"path":"four"}\n\n{"path":\n{"path":"a/../b"}\n', ['/four', 'number 2', '/a/../b']],
    ['bitly', 'bitlink,long_url\nbit.ly/a,https://shop.example/\n,https://shop.example/\n', ['bit.ly/a', 'number 2']],
    ['firebase', 'short_link,link\n,https://shop.example/\n', ['number 1']],
    ['dub', 'short link,domain,url\nhttps://dub.sh/,dub.sh,\n,,https://shop.example/\n', ['number 2']],
  ] as const)
    t.same(
      (await imported([source, '--env', id], text)).map(({ row, id }) => [row, id]),
      lines.map((id, index) => [source === 'dub' ? 2 : index + 1, id]),
      source,
    );
});

t.test('a file may be a pipe or standard input, of which no copy is left', async (t) => {
  const { id } = await environment();
  const temporary = join(folder, 'temporary');
  mkdirSync(temporary);
  const before = process.env.TMPDIR;
  process.env.TMPDIR = temporary;
  t.teardown(() => {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  });
  const pipe = join(folder, 'pipe');
  spawnSync('mkfifo', [pipe]);
  const piped = async (source: string, text: string) => {
    const [answer] = await Promise.all([json(['import', source, '--env', id, '--file', pipe]), writeFile(pipe, text)]);
    return answer;
  };
  const rows = Array.from({ length: 3000 }, (_, at) => `p${at},https://shop.example/${'x'.repeat(40)}\n`).join('');
  t.match(await piped('csv', `path,web\n${rows}`), { status: 0, value: { created: 3000 } });
  t.match(await piped('ndjson', '{"path":"n"}\n'), { status: 0, value: { created: 1 } });
  t.match(await piped('campaigns', '{"key":"k","name":"K"}\n'), { status: 0, value: { created: 1 } });
  const words = ['--json', 'import', 'csv', '--env', id, '--file'];
  const given = await run([...words, '-'], 'path,web\ns,https://shop.example/\n');
  t.match([given.status, JSON.parse(given.stdout)], [0, { created: 1 }]);
  t.match(await run([...words, '-'], 'colour\nred\n'), { status: 1, stderr: /^linkd: standard input: its first line has no known column/ });
  t.match(await run([...words, join(folder, 'none')]), { status: 3, stderr: /none: ENOENT\n$/ });
  t.same(readdirSync(temporary), []);
});

t.test('numbers and times that cannot be read are reported as lost', async (t) => {
  const { id } = await environment();
  const rows = ['1,000', '10.0', '-1', '0'].map((clicks, at) => `p${at};https://shop.example/;${clicks};04/03/2021\n`);
  const lines = await imported(['csv', '--env', id], `path;web;max_clicks;expires_at\n${rows.join('')}`);
  t.same(
    lines.map(({ outcome, lost }) => [outcome, lost.toSorted()]),
    rows.map(() => ['created', ['expires_at', 'max_clicks']]),
  );
});

t.test('a whole number in data that cannot be stored exactly is reported as lost', async (t) => {
  const { id } = await environment();
  const line = (number: string) => `{"path":"n${number}","destinations":{"web":"https://shop.example/"},"data":{"id":${number}}}\n`;
  const lines = await imported(['ndjson', '--env', id], line('9007199254740993') + line('9007199254740992'));
  t.match(lines, [
    { outcome: 'created', lost: ['data'] },
    { outcome: 'created', lost: [] },
  ]);
  t.match(await linksOf({ id }), [{ data: { id: 9007199254740992 } }, { data: null }]);
});

t.test('a campaign that is invalid fails alone, and a second run creates only what is missing', async (t) => {
  const { id } = await environment();
  const report = join(folder, 'campaigns-report.ndjson');
  const words = ['import', 'campaigns', '--env', id, '--report', report];
  const wrong = [
    '{"key":',
    'null',
    '7',
    '[]',
    '{"key":"b"}',
    '{"key":"c","name":"C","starts_at":"2030-02-01T00:00:00Z","ends_at":"2030-01-01T00:00:00Z"}',
  ];
  const file = fileOf('campaigns.ndjson', ['{"key":"a","name":"A"}', '', ...wrong, '{"key":"d","name":"D"}'].join('\r\n'));
  const linesOf = () =>
    readFileSync(report, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as ReportLine);
  const dry = await json([...words, '--file', file, '--dry-run']);
  t.match(dry, { status: 1, value: { created: 2, exists: 0, failed: 6 }, stderr: `linkd: 6 campaigns were not imported; see ${report}\n` });
  t.match(await json([...words, '--file', file]), { status: 1, value: { created: 2, exists: 0, failed: 6 } });
  t.same(
    linesOf().map(({ row, id, outcome, reason }) => [row, id, outcome, reason]),
    [
      [1, 'a', 'created', null],
      [2, 'number 2', 'failed', 'line 3 is not JSON'],
      ...[3, 4, 5].map((row) => [row, `number ${row}`, 'failed', '/key: is required']),
      [6, 'b', 'failed', '/name: is required'],
      [7, 'c', 'failed', '/ends_at: must be such that ends_at is later than starts_at'],
      [8, 'd', 'created', null],
    ],
  );
  const objects = ['a', 'b', 'c', 'd'].map((key) => `{"key":"${key}","name":"N"}`);
  const repaired = fileOf('repaired.ndjson', [objects[0], ...wrong.slice(0, 4), ...objects.slice(1)].join('\n'));
  t.match(await json([...words, '--file', repaired, '--resume']), { status: 1, value: { created: 4, exists: 0, failed: 4 } });
  const whole = fileOf('whole.ndjson', objects.join('\n'));
  t.match(await json(['import', 'campaigns', '--env', id, '--file', whole]), { status: 0, value: { created: 0, exists: 4, failed: 0 } });
  const broken = fileOf('broken.ndjson', '{"key":\n{"key":"e","name":"E"}\n');
  t.match(await run(['import', 'campaigns', '--env', id, '--file', broken]), { status: 1, stderr: /broken\.ndjson: line 1 is not JSON: / });
});

t.test('only a line feed ends a line of NDJSON', async (t) => {
  const { id } = await environment();
  const text = '{"path":"one",\r"data":{"n":"a\u2028b\u2029c\u0085d"}}\r\n{"path":"two"}\n';
  t.same(
    (await imported(['ndjson', '--env', id], text)).map(({ row, id }) => [row, id]),
    [
      [1, '/one'],
      [2, '/two'],
    ],
  );
  t.same((await linksOf({ id }))[0]?.data, { n: 'a\u2028b\u2029c\u0085d' });
});

t.test('a byte order mark is left out at the beginning of a file, and is text anywhere else', async (t) => {
  const { id } = await environment();
  const lines = [
    { path: 'one', title: 'a\uFEFFb' },
    { path: 'two', deep_link_path: '/c\uFEFFd' },
  ].map((link) => JSON.stringify(link));
  await imported(['ndjson', '--env', id], `\uFEFF${lines.join('\n')}\n`);
  t.match(await linksOf({ id }), [
    { path: 'one', title: 'a\uFEFFb' },
    { path: 'two', deep_link_path: '/c\uFEFFd' },
  ]);
});
