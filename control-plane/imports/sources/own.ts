import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { textOfCell } from '../../../shared/base/csv-cell.js';
import { IMPORTED_CLICKS_OF_LINK_MAX, IMPORTED_CLICKS_SOURCE_CHARACTERS_MAX } from '../../../shared/base/limits.js';
import type { Link, LinkCreate } from '../../../shared/contract/schemas/link.js';
import { LINK_FIELD_NAMES } from '../../../shared/records/link-fields.js';
import { DESTINATION_SLOTS } from '../../../shared/records/records.js';
import { beginningOf, type CsvRow, csvRows, isTrue, unreadColumns } from './csv-rows.js';
import { clicksOf, type ImportSource, isCount, type SourceAddress, type SourceClicks, type SourceLink, said } from './source-link.js';

/** What `linkd export links` writes, and CSV files with the same columns. */
export const OWN: ImportSource = {
  title: 'a file that "linkd export links" has written, or a CSV file with columns of the same names',
  reads: 'file',
  async *read({ file }) {
    const isJson = await isNdjson(file as string);
    let number = 0;
    for await (const object of objectsOf(file as string)) {
      number++;
      if (isJson) yield ofObject(object as FileLink, number);
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

/** A link as a file has it, with its clicks of before: as an export of this service writes them, or as a number. */
type FileLink = Partial<Link> & { readonly imported_clicks?: unknown; readonly clicks?: unknown };

/** What is said of clicks in either form; `lost` names what is none. */
function fileClicks({ imported_clicks, clicks }: FileLink): {
  readonly clicks?: readonly SourceClicks[];
  readonly lost: readonly string[];
} {
  if (imported_clicks === undefined || imported_clicks === null) {
    const total = clicksOf(clicks);
    return { ...total, lost: clicks === undefined || clicks === null || clicks === '' || total.clicks !== undefined ? [] : ['clicks'] };
  }
  const listed = Array.isArray(imported_clicks) ? imported_clicks.slice(0, IMPORTED_CLICKS_OF_LINK_MAX) : [];
  const kept = listed.filter(isSourceClicks);
  const isWhole = Array.isArray(imported_clicks) && kept.length === imported_clicks.length;
  return { ...(kept.length === 0 ? {} : { clicks: kept }), lost: isWhole ? [] : ['imported_clicks'] };
}

function isSourceClicks(value: unknown): value is SourceClicks {
  const { source, day = null, clicks } = (value ?? {}) as Partial<Record<string, unknown>>;
  const isDay = day === null || (typeof day === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(day) && isDayOfCalendar(day));
  const isSource = typeof source === 'string' && source !== '' && source.length <= IMPORTED_CLICKS_SOURCE_CHARACTERS_MAX;
  return isDay && isSource && !source.includes('\0') && isCount(clicks);
}

function isDayOfCalendar(day: string): boolean {
  const ms = Date.parse(day);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(day);
}

/** A link without an address gets one when it is made: its number in the file names it in the report. */
function ofObject(link: FileLink, number: number, lost: readonly string[] = []): SourceLink {
  const { path, domain, aliases = [], status, created_at, has_password } = link;
  const { clicks, lost: lostClicks } = fileClicks(link);
  const own: readonly SourceAddress[] = path === undefined || path === '' ? [] : [{ host: domain ?? null, path }];
  const { path: _, domain: __, aliases: ___, ...fields } = said(link as Record<string, unknown>);
  const kept = Object.entries(fields).filter(([name]) => (LINK_FIELD_NAMES as readonly string[]).includes(name));
  return {
    id: own.length > 0 ? `${domain ?? ''}/${path}` : (aliases[0]?.path ?? `number ${number}`),
    addresses: [...own, ...aliases],
    fields: { ...(Object.fromEntries(kept) as LinkCreate), ...said({ created_at }) },
    ...(clicks === undefined ? {} : { clicks }),
    ...(status === 'disabled' ? { disabled: true as const } : {}),
    // What is exported is that there was one.
    lost: [...lost, ...lostClicks, ...(has_password === true ? ['password'] : [])],
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
  ...['max_clicks', 'interstitial', 'geo', 'has_password', 'clicks', 'imported_clicks'],
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
  const imported_clicks = jsonOf<unknown>(row.imported_clicks) ?? (row.imported_clicks === '' ? undefined : row.imported_clicks);
  const link: FileLink = {
    ...said(Object.fromEntries(TEXTS.map((name) => [name, row[name]]))),
    ...{ destinations: said(Object.fromEntries(DESTINATION_SLOTS.map((slot) => [slot, row[slot]]))) as Link['destinations'] },
    ...(Object.keys(card).length === 0 ? {} : { card: card as Link['card'] }),
    ...said({ data, geo, imported_clicks, clicks: row.clicks }),
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
