import type { LinkCreate } from '../../../../shared/contract/schemas/link.js';
import type { CsvRecord } from '../../format/csv.js';
import { assemble } from '../../forms/pointers.js';
import { PLATFORM_NAMES } from './link-words.js';
import { aliasesIn, namesIn } from './listed.js';

/** Every field but destinations and card, whose members have a column each, and `geo`, whose column is JSON. */
const FIELD_COLUMNS: { readonly [Name in Exclude<keyof Required<LinkCreate>, 'destinations' | 'card' | 'geo'>]: `/${Name}` } = {
  path: '/path',
  deep_link_path: '/deep_link_path',
  data: '/data',
  campaign: '/campaign',
  utm_source: '/utm_source',
  utm_medium: '/utm_medium',
  utm_campaign: '/utm_campaign',
  utm_term: '/utm_term',
  utm_content: '/utm_content',
  allow_param_passthrough: '/allow_param_passthrough',
  active_from: '/active_from',
  expires_at: '/expires_at',
  max_clicks: '/max_clicks',
  password: '/password',
  interstitial: '/interstitial',
  domain: '/domain',
  aliases: '/aliases',
  title: '/title',
  tags: '/tags',
  comments: '/comments',
  archived: '/archived',
  created_at: '/created_at',
};

/** Columns of a file of links, named as the API names its fields; destinations by platform. */
export const COLUMNS: Readonly<Record<string, string>> = {
  ...FIELD_COLUMNS,
  ...Object.fromEntries(PLATFORM_NAMES.map((name) => [name, `/destinations/${name}`])),
  card_title: '/card/title',
  card_description: '/card/description',
  card_image_url: '/card/image_url',
  geo: '/geo',
};

/** Columns of an exported file that say what the service itself sets. */
const SET_BY_THE_SERVICE: ReadonlySet<string> = new Set(['status', 'url', 'id', 'has_password']);

/** A row of the file: a link to make, or the reason why it cannot be made. */
export interface ImportRow {
  readonly line: number;
  readonly link: LinkCreate | null;
  readonly error: string | null;
}

export type ImportFile =
  | { readonly outcome: 'read'; readonly rows: readonly ImportRow[] }
  | { readonly outcome: 'refused'; readonly reason: string };

/** Reads the records of a file. Checks only what the API cannot check; the dry run and the API check the rest. */
export function readImport(records: readonly CsvRecord[]): ImportFile {
  const [head, ...body] = records;
  if (head === undefined) return { outcome: 'refused', reason: 'The file is empty.' };
  const columns = head.fields.map((name) => name.trim().toLowerCase());
  const unknown = columns.filter((name) => !Object.hasOwn(COLUMNS, name) && !SET_BY_THE_SERVICE.has(name));
  if (unknown.length > 0)
    return {
      outcome: 'refused',
      reason: `No column is called ${unknown.map((name) => `"${name}"`).join(', ')}. There are: ${Object.keys(COLUMNS).join(', ')}.`,
    };
  if (new Set(columns).size < columns.length) return { outcome: 'refused', reason: 'A column appears twice.' };
  if (body.length === 0) return { outcome: 'refused', reason: 'The file has a head and no links.' };
  return { outcome: 'read', rows: withoutDoubles(body.map((record) => readRow(columns, record))) };
}

function readRow(columns: readonly string[], { line, fields }: CsvRecord): ImportRow {
  if (fields.length > columns.length) return { line, link: null, error: `has ${fields.length} fields, and the head ${columns.length}` };
  const members: Record<string, unknown> = {};
  for (const [place, name] of columns.entries()) {
    const text = (fields[place] ?? '').trim();
    if (name === 'status' && (text === 'disabled' || text === 'blocked'))
      return { line, link: null, error: `is ${text}. Here it would work at once; "linkd import" leaves it switched off` };
    if (text === '' || SET_BY_THE_SERVICE.has(name)) continue;
    const value = memberOf(name, text);
    if (value === undefined) return { line, link: null, error: `${name}: "${text}" is not ${kindOf(name)}` };
    members[COLUMNS[name] as string] = value;
  }
  return { line, link: assemble(members) as LinkCreate, error: null };
}

function kindOf(column: string): string {
  if (column === 'max_clicks') return 'a number';
  return isJson(column) ? 'JSON' : 'true or false';
}

function isJson(column: string): boolean {
  return column === 'data' || column === 'geo';
}

/** Returns undefined if the text is not a value of the column. Tags and aliases are separated by commas. */
function memberOf(column: string, text: string): unknown {
  if (column === 'aliases') return aliasesIn(text);
  if (column === 'tags') return namesIn(text);
  if (column === 'max_clicks') return /^\d+$/.test(text) ? Number(text) : undefined;
  if (column === 'allow_param_passthrough' || column === 'archived' || column === 'interstitial')
    return { true: true, false: false, '1': true, '0': false, yes: true, no: false }[text.toLowerCase()];
  if (!isJson(column)) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Finds paths that occur twice. The API would make the first link of a path and refuse the others. */
function withoutDoubles(rows: readonly ImportRow[]): readonly ImportRow[] {
  const lines = new Map<string, number>();
  return rows.map((row) => {
    const path = row.link?.path;
    if (path === undefined) return row;
    const first = lines.get(path);
    if (first === undefined) lines.set(path, row.line);
    return first === undefined ? row : { line: row.line, link: null, error: `the path "${path}" is in line ${first} already` };
  });
}
