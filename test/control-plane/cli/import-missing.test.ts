import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { LINK_SOURCES, type LinkSource, TIED_SOURCES } from '../../support/link-sources.js';
import { serveHttp } from '../../support/serve-http.js';
import { importTarget, type ReportLine } from './import-target.js';

const { environment, fileOf, folder, linksOf, run } = await importTarget(t);
const LINKS = 510;

t.test('if a service omits links, the import ends with 1, and another run makes them', async (t) => {
  for (const { source, missing } of TIED_SOURCES) {
    const { name } = source;
    const target = await environment();
    const report = join(folder, `${name}.ndjson`);
    const words = ['import', name, '--env', target.id, '--report', report];
    const tied = await run([...words, ...(await source.prepare(t, LINKS, folder))]);
    t.equal(tied.status, missing === 0 ? 0 : 1, name);
    if (missing > 0) t.match(tied.stderr, new RegExp(`${missing} of ${LINKS} links are missing.*run the command again`), name);
    t.equal((await linksOf(target)).length, LINKS - missing, `${name}: the links that were read are made`);
    const steady = LINK_SOURCES.find((other) => other.name === name) as LinkSource;
    const again = await run([...words, '--resume', ...(await steady.prepare(t, LINKS, folder))]);
    t.equal(again.status, 0, again.stderr);
    t.equal((await linksOf(target)).length, LINKS, name);
    const lines = readFileSync(report, 'utf8').split('\n').filter(Boolean);
    const ids = lines.map((line) => (JSON.parse(line) as ReportLine).id);
    t.same([ids.length, new Set(ids).size], [LINKS, LINKS], `${name}: each link has one line in the report`);
  }
});

t.test('Rebrandly: an import of all workspaces ends without a warning', async (t) => {
  const target = await environment();
  const source = LINK_SOURCES.find(({ name }) => name === 'rebrandly') as LinkSource;
  const options = await source.prepare(t, 30, folder);
  const read = await run(['import', 'rebrandly', '--env', target.id, ...options]);
  t.match(read, { status: 0, stderr: '' });
  t.equal((await linksOf(target)).length, 30);
});

t.test('Rebrandly: an import of the default workspace alone says so, and one that cannot read a workspace fails', async (t) => {
  const link = { slashtag: 'one', destination: 'https://shop.example/', domainName: 'rebrand.ly', status: 'active' };
  const served = async (statusOf: (kind: string, workspace: string) => number) => {
    const { origin } = await serveHttp(t, (request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
      const kind = pathname.replace('/v1/', '');
      const workspace = String(request.headers.workspace ?? '');
      const all = kind === 'workspaces' ? ['w1', 'w2'].map((id) => ({ id, name: id })) : [{ ...link, id: `of-${workspace}` }];
      response.writeHead(statusOf(kind, workspace), { 'content-type': 'application/json' });
      response.end(JSON.stringify(searchParams.has('last') ? [] : all));
    });
    return origin;
  };
  const read = async (origin: string) => {
    const target = await environment();
    const words = ['import', 'rebrandly', '--env', target.id, '--api-key-file', fileOf('key', 'secret-key'), '--base-url', origin];
    return { ...(await run(words)), links: await linksOf(target) };
  };
  const alone = await read(await served((kind) => (kind === 'workspaces' ? 403 : 200)));
  t.match(alone, { status: 0, stderr: /only the links of its default workspace are read/, links: [{ path: 'one' }] });
  const part = await read(await served((_, workspace) => (workspace === 'w2' ? 403 : 200)));
  t.match(part, { status: 1, stderr: /the links of 1 workspaces could not be read \(w2: /, links: [{ path: 'one' }] });
});
