import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { blockLinksStep } from '../../../control-plane/blocking/block-links.js';
import { call, send } from '../../api/api-client.js';
import { startApiServer } from '../../api/api-server.js';
import { createDatabase } from '../../support/database.js';
import { commandLine } from './command-line.js';

const own = await createDatabase();
t.teardown(() => own.drop());
const { run, json } = commandLine(t, own.url);

function file(name: string, text: string): string {
  const path = join(t.testdir({ [name]: text }), name);
  writeFileSync(path, text);
  return path;
}

t.test('a block list is imported with counts, replaced as a whole, listed and removed', async (t) => {
  const hosts = file(
    'ads.txt',
    '# ads\n127.0.0.1 localhost\n0.0.0.0 one.example two.example\r\n0.0.0.0 three.example\n\nnonsense\n0.0.0.0 co.uk\n',
  );
  const first = await json(`blocklist import ${hosts} --format hosts`);
  t.equal(first.status, 0);
  t.same(first.value, {
    list: 'ads',
    lines: 7,
    entries: 3,
    skipped: 3,
    refused: 2,
    added: 3,
    removed: 0,
    refused_lines: [
      { line: 6, reason: 'malformed', text: 'nonsense' },
      { line: 7, reason: 'public_suffix', text: '0.0.0.0 co.uk' },
    ],
  });
  t.equal(first.stderr, 'line 6: malformed: "nonsense"\nline 7: public_suffix: "0.0.0.0 co.uk"\n');
  const second = await json('blocklist import - --format plain --name ads', 'three.example\nfour.example\nfour.example');
  t.match(second.value, { lines: 3, entries: 3, refused: 0, added: 1, removed: 2 });
  t.match((await json('blocklist list')).value, [{ name: 'ads', format: 'plain', entries: 2, imported_at: /Z$/ }]);
  t.match((await run('blocklist list')).stdout, /ads/);
  t.same((await json('blocklist remove ads')).value, { removed: 'ads' });
  t.match(await run('blocklist remove ads'), { status: 3, stderr: /no list "ads"/ });
  t.match((await run('blocklist list')).stdout, /no block lists/);
});

t.test('an import that looks like a mistake changes nothing', async (t) => {
  await run('blocklist import - --format plain --name kept', 'kept.example');
  const csv = '"1","2024-01-01 00:00:00","http://x.example/a","online","","malware","exe","https://urlhaus.abuse.ch/url/1/","me"\n';
  for (const [parameters, input, status, line] of [
    ['- --format plain --name kept', '', 1, 'has no entries'],
    ['- --format plain --name kept', '# nothing\n\n', 1, 'has no entries'],
    ['- --format hosts --name kept', csv, 1, '1 of 1 lines were refused; nothing was changed; check --format'],
    ['- --format plain --name kept --strict', 'good.example\nother.example\nb a d\n', 1, '1 line was refused; nothing was changed'],
    ['- --format plain', 'good.example', 2, '--name'],
    ['- --format plain --name ../x', 'good.example', 2, '--name'],
    ['- --format csv --name kept', 'good.example', 2, 'Allowed choices'],
    ['- --name kept', 'good.example', 2, '--format'],
    ['/nowhere/list.txt --format plain', '', 3, 'cannot read /nowhere/list.txt: ENOENT'],
    [`${t.testdir()} --format plain --name kept`, '', 1, 'EISDIR'],
  ] as const) {
    const answer = await run(`blocklist import ${parameters}`, input);
    t.match(answer, { status, stderr: new RegExp(line), stdout: '' }, parameters);
    t.notMatch(answer.stderr, /\n {4}at /, 'the error has no stack trace');
  }
  t.match((await json('blocklist list')).value, [{ name: 'kept', format: 'plain', entries: 1 }]);
});

t.test('of many refused lines the first hundred are reported', async (t) => {
  const lines = Array.from({ length: 20_000 }, (_, index) => (index % 100 === 99 ? 'b a d' : `h${index}.example`));
  const answer = await json('blocklist import - --format plain --name many', lines.join('\n'));
  t.match(answer.value, { lines: 20_000, entries: 19_800, refused: 200, added: 19_800 });
  t.equal(answer.value.refused_lines.length, 100);
  t.match(answer.stderr, /line 100: malformed[\s\S]*and 100 more lines were refused\n$/);
  t.match((await json('blocklist import - --format plain --name many', lines.slice(1).join('\n'))).value, { added: 0, removed: 1 });
});

t.test('unblock refuses a link that does not exist, one that is not blocked, and one that is still listed', async (t) => {
  t.match(await run('blocklist unblock lnk_01jd4v6xq8e5s0m3k7n9p2r4tw'), { status: 3, stderr: /no link/ });
  t.match(await run('blocklist unblock x'), { status: 3, stderr: /no link/ });
  const api = await startApiServer(t);
  const there = commandLine(t, api.databaseUrl);
  const body = { destinations: { web: 'https://later.example/' } };
  const { id } = (await send(api.baseUrl, 'POST /links', { key: api.liveKey, body })).json;
  const statusOf = async () => (await call(t, api.baseUrl, `GET /links/${id}`, { key: api.liveKey })).json.status;
  const unblock = () => there.run(`blocklist unblock ${id}`);
  t.match(await unblock(), { status: 1, stdout: '', stderr: `linkd: the link ${id} is not blocked\n` });
  t.equal(await statusOf(), 'active', 'the link is left as it is');
  await there.run('blocklist import - --format plain --name later', 'later.example');
  await blockLinksStep(api.database, { scheme: 'https', port: 0 }, Date.now());
  t.match(await unblock(), { status: 1, stdout: '', stderr: /still on a block list/ });
  t.equal(await statusOf(), 'blocked');
  await there.run('blocklist remove later');
  t.match((await there.json(`blocklist unblock ${id}`)).value, { unblocked: id });
  t.equal(await statusOf(), 'active');
});
