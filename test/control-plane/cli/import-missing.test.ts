import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { LINK_SOURCES, type LinkSource, TIED_SOURCES } from '../../support/link-sources.js';
import { importTarget, type ReportLine } from './import-target.js';

const { environment, folder, linksOf, run } = await importTarget(t);
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
