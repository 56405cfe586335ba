import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { textOfCell } from '../../../shared/base/csv-cell.js';
import type { Link, LinkCreate } from '../../../shared/contract/schemas/link.js';
import { LINK_FIELD_NAMES } from '../../../shared/records/link-fields.js';
import { DESTINATION_SLOTS } from '../../../shared/records/records.js';
import { beginningOf, type CsvRow, csvRows, isTrue, unreadColumns } from './csv-rows.js';
import { type ImportSource, type SourceAddress, type SourceLink, said } from './source-link.js';

/** What `linkd export links` writes, and CSV files with the same columns. */
export const OWN: ImportSource = {
  title: 'a file that "linkd export links" has written, or a CSV file with columns of the same names',
  reads: 'file',
  async *read({ file }) {
    for await (const object of objectsOf(file as string))
      yield 'destinations' in object
        ? ofObject(object as Partial<Link>)
        : ofObject(ofRow(object as CsvRow), unreadColumns(object as CsvRow, READ));
  },
};

/** The objects of an NDJSON file, or the rows of a CSV file by its columns. */
export async function* objectsOf(file: string): AsyncIterable<Readonly<Record<string, unknown>>> {
  if ((await beginningOf(file)).trimStart().startsWith('{')) {
    const lines = createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY });
    for await (const line of lines) if (line.trim() !== '') yield JSON.parse(line.replace('\uFEFF', '')) as Record<string, unknown>;
  } else
    for await (const row of csvRows(file)) yield Object.fromEntries(Object.entries(row).map(([name, cell]) => [name, textOfCell(cell)]));
}

function ofObject(link: Partial<Link>, lost: readonly string[] = []): SourceLink {
  const { path, domain, aliases = [], status, created_at } = link;
  const own: readonly SourceAddress[] = path === undefined || path === '' ? [] : [{ host: domain ?? null, path }];
  const { path: _, domain: __, aliases: ___, ...fields } = said(link as Record<string, unknown>);
  const kept = Object.entries(fields).filter(([name]) => (LINK_FIELD_NAMES as readonly string[]).includes(name));
  return {
    id: own.length === 0 ? (aliases[0]?.path ?? '') : `${domain ?? ''}/${path}`,
    addresses: [...own, ...aliases],
    fields: { ...(Object.fromEntries(kept) as LinkCreate), ...said({ created_at }) },
    ...(status === 'disabled' ? { disabled: true as const } : {}),
    lost,
  };
}

const TEXTS = [
  ...['path', 'domain', 'deep_link_path', 'campaign', 'utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content'],
  ...['expires_at', 'title', 'comments', 'created_at', 'status'],
];
const READ = new Set([
  ...TEXTS,
  ...DESTINATION_SLOTS,
  ...['data', 'tags', 'aliases', 'archived', 'allow_param_passthrough', 'card_title', 'card_description', 'card_image_url', 'id', 'url'],
]);

function ofRow(row: CsvRow): Partial<Link> {
  const listed = (text = '') =>
    text
      .split(',')
      .map((item) => item.trim())
      .filter(Boolean);
  const aliases = listed(row.aliases).map((item) => {
    const [host = '', ...path] = item.replace(/^https?:\/\//, '').split('/');
    return { host, path: path.join('/') };
  });
  const card = said({ title: row.card_title, description: row.card_description, image_url: row.card_image_url });
  return {
    ...said(Object.fromEntries(TEXTS.map((name) => [name, row[name]]))),
    ...{ destinations: said(Object.fromEntries(DESTINATION_SLOTS.map((slot) => [slot, row[slot]]))) as Link['destinations'] },
    ...(Object.keys(card).length === 0 ? {} : { card: card as Link['card'] }),
    ...(row.data === undefined || row.data === '' ? {} : { data: JSON.parse(row.data) as Link['data'] }),
    ...(listed(row.tags).length === 0 ? {} : { tags: listed(row.tags) }),
    ...(isTrue(row.archived ?? '') ? { archived: true } : {}),
    ...(isTrue(row.allow_param_passthrough ?? '') ? { allow_param_passthrough: true } : {}),
    aliases,
  };
}
