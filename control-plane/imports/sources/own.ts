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
    const isJson = await isNdjson(file as string);
    let number = 0;
    for await (const object of objectsOf(file as string)) {
      number++;
      if (isJson) yield ofObject(object as Partial<Link>, number);
      else yield ofRow(object as CsvRow, number);
    }
  },
};

async function isNdjson(file: string): Promise<boolean> {
  return (await beginningOf(file)).trimStart().startsWith('{');
}

/** The objects of an NDJSON file, or the rows of a CSV file by its columns. */
export async function* objectsOf(file: string): AsyncIterable<Readonly<Record<string, unknown>>> {
  if (await isNdjson(file)) {
    const lines = createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY });
    for await (const line of lines) if (line.trim() !== '') yield JSON.parse(line.replace('\uFEFF', '')) as Record<string, unknown>;
  } else
    for await (const row of csvRows(file)) yield Object.fromEntries(Object.entries(row).map(([name, cell]) => [name, textOfCell(cell)]));
}

/** A link without an address gets one when it is made: its number in the file names it in the report. */
function ofObject(link: Partial<Link>, number: number, lost: readonly string[] = []): SourceLink {
  const { path, domain, aliases = [], status, created_at, has_password } = link;
  const own: readonly SourceAddress[] = path === undefined || path === '' ? [] : [{ host: domain ?? null, path }];
  const { path: _, domain: __, aliases: ___, ...fields } = said(link as Record<string, unknown>);
  const kept = Object.entries(fields).filter(([name]) => (LINK_FIELD_NAMES as readonly string[]).includes(name));
  return {
    id: own.length > 0 ? `${domain ?? ''}/${path}` : (aliases[0]?.path ?? `number ${number}`),
    addresses: [...own, ...aliases],
    fields: { ...(Object.fromEntries(kept) as LinkCreate), ...said({ created_at }) },
    ...(status === 'disabled' ? { disabled: true as const } : {}),
    // What is exported is that there was one.
    lost: has_password === true ? [...lost, 'password'] : lost,
  };
}

const TEXTS = [
  ...['path', 'domain', 'deep_link_path', 'campaign', 'utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content'],
  ...['active_from', 'expires_at', 'password', 'title', 'comments', 'created_at', 'status'],
];
const READ = new Set([
  ...TEXTS,
  ...DESTINATION_SLOTS,
  ...['data', 'tags', 'aliases', 'archived', 'allow_param_passthrough', 'card_title', 'card_description', 'card_image_url', 'id', 'url'],
  ...['max_clicks', 'interstitial', 'geo', 'has_password'],
]);

function ofRow(row: CsvRow, number: number): SourceLink {
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
  const data = jsonOf<Link['data']>(row.data);
  const geo = jsonOf<Link['geo']>(row.geo);
  const link: Partial<Link> = {
    ...said(Object.fromEntries(TEXTS.map((name) => [name, row[name]]))),
    ...{ destinations: said(Object.fromEntries(DESTINATION_SLOTS.map((slot) => [slot, row[slot]]))) as Link['destinations'] },
    ...(Object.keys(card).length === 0 ? {} : { card: card as Link['card'] }),
    ...said({ data, geo }),
    ...(/^\d+$/.test(row.max_clicks ?? '') ? { max_clicks: Number(row.max_clicks) } : {}),
    ...((row.interstitial ?? '') === '' ? {} : { interstitial: isTrue(row.interstitial as string) }),
    ...(isTrue(row.has_password ?? '') ? { has_password: true } : {}),
    ...(listed(row.tags).length === 0 ? {} : { tags: listed(row.tags) }),
    ...(isTrue(row.archived ?? '') ? { archived: true } : {}),
    ...(isTrue(row.allow_param_passthrough ?? '') ? { allow_param_passthrough: true } : {}),
    aliases,
  };
  const lost = ['data', 'geo'].filter((name) => (row[name] ?? '') !== '' && { data, geo }[name as 'data' | 'geo'] === undefined);
  return ofObject(link, number, [...lost, ...unreadColumns(row, READ)]);
}

/** Undefined if the cell is no JSON. */
function jsonOf<Value>(cell = ''): Value | undefined {
  if (cell === '') return undefined;
  try {
    return JSON.parse(cell) as Value;
  } catch {
    return undefined;
  }
}
