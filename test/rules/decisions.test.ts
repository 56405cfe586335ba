import { basename } from 'node:path';
import t from 'tap';
import { readTreeFile, treeFiles } from '../support/source-tree.js';

const FOLDER = 'shared/decisions/';
const INDEX = `${FOLDER}README.md`;

t.test('the index of decisions lists each one once, with its title, date and status', async (t) => {
  const decisions = treeFiles().filter((file) => file.startsWith(FOLDER) && file !== INDEX);
  t.ok(decisions.length > 20);
  const rows = [...readTreeFile(INDEX).matchAll(/^\| (\d{4}-\d\d-\d\d) \| \[(.+)\]\((.+)\) \| (in force|replaced by .+) \|$/gm)];
  t.same(rows.map(([, , , file]) => file).toSorted(), decisions.map((file) => basename(file)).toSorted());
  for (const [, date, title, file = '', status = ''] of rows) {
    const [, later] = /^replaced by (\S+\.md)\b/.exec(status) ?? [];
    if (status !== 'in force') t.ok(decisions.includes(`${FOLDER}${later}`), `${file} is ${status}`);
    t.ok(file.startsWith(`${date}-`), file);
    t.ok(readTreeFile(FOLDER + file).startsWith(`# ${title}`), file);
  }
});
