import t from 'tap';
import { readTreeFile } from '../support/source-tree.js';

t.test('deploy/retention.md lists every table of the schema once, and no other', async (t) => {
  const tables = [...readTreeFile('control-plane/migrations/schema.sql').matchAll(/^CREATE (?:UNLOGGED )?TABLE public\.(\w+)/gm)].map(
    ([, name]) => name,
  );
  const rows =
    readTreeFile('deploy/retention.md')
      .split('| In `DATA_DIR`')[0]
      ?.match(/^\| `.*$/gm) ?? [];
  const listed = rows.flatMap((row) => [...(row.split('|')[1] as string).matchAll(/`(\w+)`/g)].map(([, name]) => name));
  t.same(listed.toSorted(), tables.toSorted(), 'add the table to deploy/retention.md, with what removes its rows');
});
