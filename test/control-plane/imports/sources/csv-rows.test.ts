import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { csvRows } from '../../../../control-plane/imports/sources/csv-rows.js';
import { SOURCES } from '../../../../control-plane/imports/sources.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const folder = temporaryFolder(t);

async function readBy(source: string, text: string | Buffer) {
  const file = join(folder, 'links.csv');
  writeFileSync(file, text);
  const links = [];
  const input = { file, apiKey: null, baseUrl: null, interrupted: new AbortController().signal };
  for await (const link of SOURCES[source]?.read(input) ?? []) links.push(link);
  return links;
}

t.test('cells past the head, of a second column of one name, and of one without a name are told as lost', async (t) => {
  const links = await readBy('csv', 'path,web,,web\na,https://shop.example/,x,https://elsewhere.example/,y\nb,https://shop.example/,,\n');
  t.match(
    links.map(({ lost, fields }) => [[...lost].sort(), fields.destinations?.web]),
    [
      [['column 3', 'column 5', 'web (column 4)'], 'https://shop.example/'],
      [[], 'https://shop.example/'],
    ],
  );
});

t.test('a file without any line has no rows', async (t) => {
  const file = join(folder, 'empty.csv');
  writeFileSync(file, '');
  for await (const row of csvRows(file)) t.fail(`there is a row: ${JSON.stringify(row)}`);
});
