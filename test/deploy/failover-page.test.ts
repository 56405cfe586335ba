import { existsSync, readFileSync } from 'node:fs';
import t from 'tap';
import { readTreeFile } from '../support/source-tree.js';

const PAGES = ['deploy/failover.md', 'deploy/backup.md'];

/** The units of Debian's packages, and the files for which the pages say what to write into them. */
const UNITS = [
  { unit: 'patroni.service', files: ['/etc/patroni_env.conf', '/etc/patroni/config.yml'] },
  { unit: 'etcd.service', files: ['/etc/default/etcd'] },
  { unit: 'haproxy.service', files: ['/etc/haproxy/haproxy.cfg'] },
  { unit: 'pgbouncer.service', files: ['/etc/pgbouncer'] },
];

t.test('the files that the page of failover writes are those that the units of Debian read', async (t) => {
  const page = readTreeFile('deploy/failover.md');
  for (const { unit, files } of UNITS) {
    for (const file of files) t.ok(page.includes(file), `the page names ${file}`);
    const path = `/lib/systemd/system/${unit}`;
    if (!existsSync(path)) {
      t.comment(`LEFT OUT: there is no ${unit} on this machine`);
      continue;
    }
    const text = readFileSync(path, 'utf8').replaceAll('%p', unit.replace('.service', ''));
    for (const file of files) t.ok(text.includes(file), `${unit} reads ${file}`);
  }
});

t.test('the pages name one file of settings of Patroni, and that one alone', async (t) => {
  const named = PAGES.flatMap((page) => readTreeFile(page).match(/`\/etc\/[\w/.]*patroni[\w/.]*`/g) ?? []);
  t.same([...new Set(named)].toSorted(), ['`/etc/patroni/config.yml`', '`/etc/patroni_env.conf`']);
});
