import { textOfCell } from '../../../shared/base/csv-cell.js';
import { isNdjson } from '../../../shared/base/csv-dialect.js';
import { parseExactly } from '../../../shared/base/exact-numbers.js';
import { isCalendarDay, parseInstant } from '../../../shared/base/instant.js';
import { characterCount, isObject, isStorable } from '../../../shared/base/issue.js';
import { ALIASES_OF_LINK_MAX, IMPORTED_CLICKS_OF_LINK_MAX, IMPORTED_CLICKS_SOURCE_CHARACTERS_MAX } from '../../../shared/base/limits.js';
import type { Link, LinkCreate } from '../../../shared/contract/schemas/link.js';
import { LINK_FIELD_NAMES } from '../../../shared/records/link-fields.js';
import { DESTINATION_SLOTS } from '../../../shared/records/records.js';
import { csvRows, linksOfRows, unreadColumns, unreadMembers } from './csv-rows.js';
import { jsonLines } from './json-lines.js';
import {
  type CsvRow,
  type ImportSource,
  isCount,
  numbered,
  pathAddress,
  type SourceClicks,
  type SourceLink,
  said,
  withoutAddress,
} from './source-link.js';
import { instantOf, SourceRow } from './source-row.js';
import { beginningOf } from './text-file.js';

/** What `linkd export links` writes, and CSV files with the same columns. */
export const OWN: ImportSource = {
  title: 'a CSV or NDJSON file from "linkd export links", or one with the same columns or members',
  reads: 'file',
  ofRow,
  async *read({ file, onRead }) {
    if (!isNdjson(await beginningOf(file as string))) {
      yield* linksOfRows(csvRows(file as string, READ, onRead), ofRow);
      return;
    }
    let number = 0;
    for await (const line of jsonLines(file as string, onRead))
      yield numbered(ofLine(line.text, ++number, `line ${line.number} is not JSON`), number);
  },
};

/** A link as a file has it, with its earlier clicks: as an export of this service writes them, or as a number. */
type FileLink = Partial<Link> & {
  readonly imported_clicks?: unknown;
  readonly clicks?: unknown;
  readonly clicks_left?: unknown;
  readonly password?: unknown;
};

/**
 * Reads clicks in either form. `GET /links` returns a link with its environment, and its `clicks` are only those of the last days, so they
 * are not read.
 */
function fileClicks({ imported_clicks, clicks, environment }: FileLink, reading: SourceRow): Pick<SourceLink, 'clicks'> {
  if (imported_clicks === undefined || imported_clicks === null) return environment === undefined ? reading.clicks(clicks) : {};
  const listed = Array.isArray(imported_clicks) ? imported_clicks.slice(0, IMPORTED_CLICKS_OF_LINK_MAX) : [];
  const kept = listed.filter(isSourceClicks);
  if (!Array.isArray(imported_clicks) || kept.length < imported_clicks.length) reading.lose('imported_clicks');
  return kept.length === 0 ? {} : { clicks: kept };
}

function isSourceClicks(value: unknown): value is SourceClicks {
  const { source, day = null, clicks } = (value ?? {}) as Partial<Record<string, unknown>>;
  const isDay = day === null || (typeof day === 'string' && isCalendarDay(day));
  const isSource =
    typeof source === 'string' && source !== '' && characterCount(source) <= IMPORTED_CLICKS_SOURCE_CHARACTERS_MAX && isStorable(source);
  return isDay && isSource && isCount(clicks);
}

/** Why the addresses of an object of a file cannot be read; null if they can, or if it has none. */
function addressFault({ path, domain, aliases }: Readonly<Record<string, unknown>>): string | null {
  if (!isTextOrAbsent(path)) return 'path must be text';
  if (!isTextOrAbsent(domain)) return 'domain must be text';
  if (aliases === undefined || aliases === null) return null;
  if (!Array.isArray(aliases) || aliases.length > ALIASES_OF_LINK_MAX) return `aliases must be a list of at most ${ALIASES_OF_LINK_MAX}`;
  const areAddresses = aliases.every((alias) => typeof alias?.host === 'string' && typeof alias.path === 'string');
  return areAddresses ? null : 'each alias must have a host and a path';
}

function isTextOrAbsent(value: unknown): boolean {
  return value === undefined || value === null || typeof value === 'string';
}

/** Addresses are read separately from the other fields. */
const FIELDS_KEPT: ReadonlySet<string> = new Set(LINK_FIELD_NAMES.filter((name) => name !== 'domain' && name !== 'aliases'));

const MEMBERS_READ: ReadonlySet<string> = new Set([
  ...FIELDS_KEPT,
  ...['path', 'domain', 'aliases', 'status', 'created_at', 'has_password', 'clicks', 'clicks_left', 'imported_clicks'],
  // Members that the service sets and nobody else can.
  ...['id', 'url', 'environment', 'created_by', 'updated_at', 'deleted_at', 'daily_clicks'],
]);

const TIMES: ReadonlySet<string> = new Set(['created_at', 'active_from', 'expires_at']);

/**
 * A time in any form that is also read from other sources. A time that the API accepts stays as it is, and one that nobody can read is left
 * for the API to refuse.
 */
function timeOf(value: unknown): unknown {
  return isTime(value) ? value : (instantOf(value) ?? value);
}

const isTime = (value: unknown) => typeof value === 'string' && parseInstant(value) !== null;

/** Reads the fields that keep visitors out, and puts those that can be carried over into `kept`. Returns whether the link is disabled. */
function readRules(link: FileLink, kept: Record<string, unknown>, reading: SourceRow): boolean {
  const { status, max_clicks, clicks_left, expires_at } = link;
  for (const name of ['active_from', 'expires_at']) if (!isTime(kept[name])) reading.loseTime(name, kept[name]);
  const max = reading.maxClicks(max_clicks);
  // The number of clicks left, if the file has it: an import does not give back the clicks that were used.
  const left = max !== undefined && isPresent(clicks_left) ? reading.maxClicks(clicks_left) : max;
  put(kept, 'max_clicks', left === undefined ? undefined : Math.min(left, max as number));
  put(kept, 'password', reading.password(link.password, isPresent(link.has_password) && link.has_password !== false));
  const word = typeof status === 'string' ? status.trim().toLowerCase() : (status ?? '');
  if (word === 'expired') {
    // In an export without `clicks_left`, only the status shows that all clicks were used.
    const end = timeOf(expires_at);
    const hasEnded = typeof end === 'string' && (parseInstant(end) ?? Number.POSITIVE_INFINITY) <= Date.now();
    if (!hasEnded && kept.max_clicks === undefined) reading.shut(isPresent(max_clicks) ? 'max_clicks' : 'status');
    else if (!hasEnded && !isPresent(clicks_left)) {
      put(kept, 'max_clicks', undefined);
      reading.shut('max_clicks');
    }
  } else if (word === 'scheduled' && kept.active_from === undefined) reading.shut('active_from');
  else if (!['', 'active', 'scheduled', 'disabled'].includes(word as string)) reading.shut('status');
  return word === 'disabled';
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}

/** Sets a field in its place if it has one, because the path of a link without an address depends on the order of the fields. */
function put(fields: Record<string, unknown>, name: string, value: unknown): void {
  if (value === undefined) delete fields[name];
  else fields[name] = value;
}

/** Whether the object names no address and no field: it says as little as a row of a CSV file whose cells are all empty. */
function isEmptyObject(object: Readonly<Record<string, unknown>>): boolean {
  for (const [name, value] of Object.entries(object))
    if (MEMBERS_READ.has(name) && !(isObject(value) || Array.isArray(value) ? Object.values(value).every(isBlank) : isBlank(value)))
      return false;
  return true;
}

function isBlank(value: unknown): boolean {
  return value === null || value === undefined || (typeof value === 'string' && value.trim() === '');
}

/** A link as the API shows it. The id of a link without an address is its number in the file. */
export function ofObject(object: unknown, number: number): SourceLink {
  if (isObject(object) && isEmptyObject(object)) return withoutAddress('all members that are read are empty', `number ${number}`);
  return linkOf(object, number, new SourceRow());
}

/** A link from a line of NDJSON. */
export function ofLine(line: string, number: number, fault = 'is not JSON'): SourceLink {
  let object: unknown;
  try {
    object = parseExactly(line);
  } catch {
    return withoutAddress(fault, `number ${number}`);
  }
  return ofObject(object, number);
}

/** `reading` has what was read of the link so far. */
function linkOf(object: unknown, number: number, reading: SourceRow): SourceLink {
  const isLink = typeof object === 'object' && object !== null && !Array.isArray(object);
  const fault = isLink ? addressFault(object as Record<string, unknown>) : 'is not an object';
  if (fault !== null) return withoutAddress(fault, `number ${number}`);
  const link = object as FileLink;
  const unread = unreadMembers(link, MEMBERS_READ);
  reading.lose(...unread);
  const [path, domain] = [link.path, link.domain].map((text) => (text ?? '').trim());
  const aliases = link.aliases ?? [];
  if (link.destinations === undefined && hasOtherUrl(object as Record<string, unknown>, unread)) reading.lose('destinations');
  const own = path ? pathAddress(path, domain || null) : null;
  const kept: Record<string, unknown> = {};
  // In the order of the file, on which the path of a link without an address depends.
  for (const [name, value] of Object.entries(link))
    if (FIELDS_KEPT.has(name) && value !== null && value !== undefined && value !== '')
      kept[name] = TIMES.has(name) ? timeOf(value) : OBJECTS.has(name) ? membersOf(value) : value;
  put(kept, 'tags', reading.tags(link.tags));
  const disabled = readRules(link, kept, reading);
  const created_at = reading.text('created_at', timeOf(link.created_at), Number.POSITIVE_INFINITY);
  return {
    // With the host, because aliases of two links may have the same path.
    id: own !== null ? `${own.host ?? ''}/${own.path}` : aliases[0]?.path ? `${aliases[0].host}/${aliases[0].path}` : `number ${number}`,
    addresses: own === null ? aliases : [own, ...aliases],
    fields: { ...(kept as LinkCreate), ...said({ created_at }) },
    ...fileClicks(link, reading),
    ...reading.result(),
    ...(disabled ? { disabled: true as const } : {}),
  };
}

const OBJECTS: ReadonlySet<string> = new Set(['destinations', 'geo', 'card']);

/** The members of an object that are not empty, without the blanks around URLs. Anything else is left to the API. */
function membersOf(value: unknown): unknown {
  if (!isObject(value)) return value;
  const members: Record<string, unknown> = {};
  for (const name of Object.keys(value)) {
    const member = value[name];
    members[name] = typeof member === 'string' && URL_TEXT.test(member) ? member.trim() : isBlank(member) ? null : member;
  }
  return said(members);
}

const URL_TEXT = /^\s*[a-z][a-z\d+.-]*:\/\//i;

/**
 * Whether something that is not read is a URL: a file without a place for destinations may have another name for them. A link without any
 * URL leads to the destinations of the environment.
 */
function hasOtherUrl(values: Readonly<Record<string, unknown>>, unread: readonly string[]): boolean {
  return [...unread, 'url'].some((name) => {
    const value = values[name];
    return typeof value === 'string' && URL_TEXT.test(value);
  });
}

const TEXTS = [
  ...['path', 'domain', 'deep_link_path', 'campaign', 'utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content'],
  ...['active_from', 'expires_at', 'password', 'title', 'comments', 'created_at', 'status'],
];
const SLOTS: ReadonlySet<string> = new Set(DESTINATION_SLOTS);
const READ = new Set([
  ...TEXTS,
  ...DESTINATION_SLOTS,
  ...['data', 'tags', 'aliases', 'archived', 'allow_param_passthrough', 'card_title', 'card_description', 'card_image_url', 'id', 'url'],
  ...['max_clicks', 'clicks_left', 'interstitial', 'geo', 'has_password', 'clicks', 'imported_clicks', 'created_by'],
]);

/** Removes the apostrophe that an export writes before a text that looks like a formula. Most rows have none and are not copied. */
function withoutApostrophes(row: CsvRow): CsvRow {
  for (const name in row)
    if (row[name]?.startsWith("'")) return Object.fromEntries(Object.entries(row).map(([name, cell]) => [name, textOfCell(cell)]));
  return row;
}

/** Those cells of these columns that are not empty. */
function cellsOf(row: CsvRow, columns: readonly string[]): Record<string, string> {
  const cells: Record<string, string> = {};
  for (const name of columns) {
    const cell = row[name];
    if (cell !== undefined && cell !== '') cells[name] = cell;
  }
  return cells;
}

function ofRow(cells: CsvRow, number: number): SourceLink {
  const names = Object.keys(cells);
  if (names.length > 0 && !names.some((name) => READ.has(name)))
    return withoutAddress('it has none of the columns of an export of this service');
  const row = withoutApostrophes(cells);
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
  const reading = new SourceRow();
  const unread = unreadColumns(row, READ);
  const hasDestinations = names.some((name) => SLOTS.has(name));
  reading.lose(...unread, ...(!hasDestinations && hasOtherUrl(row, unread) ? ['destinations'] : []));
  const data = reading.json<Link['data']>('data', row.data);
  const geo = reading.json<Link['geo']>('geo', row.geo);
  const imported_clicks = reading.json<unknown>('imported_clicks', row.imported_clicks);
  const interstitial = reading.flag('interstitial', row.interstitial);
  const hasPassword = reading.flag('has_password', row.has_password);
  if (hasPassword === undefined && isPresent(row.has_password)) reading.shut('password');
  const link: FileLink = {
    ...cellsOf(row, TEXTS),
    ...(hasDestinations ? { destinations: cellsOf(row, DESTINATION_SLOTS) as Link['destinations'] } : {}),
    ...(Object.keys(card).length === 0 ? {} : { card: card as Link['card'] }),
    ...said({
      data,
      geo,
      imported_clicks,
      clicks: row.clicks,
      max_clicks: row.max_clicks as number | undefined,
      clicks_left: row.clicks_left,
    }),
    ...(interstitial === undefined ? {} : { interstitial }),
    ...(hasPassword === true ? { has_password: true } : {}),
    ...(listed(row.tags).length === 0 ? {} : { tags: listed(row.tags) }),
    ...(reading.flag('archived', row.archived) === true ? { archived: true } : {}),
    ...(reading.flag('allow_param_passthrough', row.allow_param_passthrough) === true ? { allow_param_passthrough: true } : {}),
    aliases,
  };
  return linkOf(link, number, reading);
}
