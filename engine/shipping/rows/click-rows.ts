import { decodeUlidBytes, encodeUlid, ID_PREFIXES, type IdKind } from '../../../shared/base/ids.js';
import { CLICK_TABLE } from '../../../shared/clickhouse/click-table.js';
import type { ClickSource } from '../../../shared/contract/schemas/click-source.js';
import { CLICK_KINDS, type ClickKind } from '../../../shared/records/records.js';
import type { PlatformHint } from '../../../shared/resolve/recognise-visitor.js';
import type { CountryDatabase } from '../../countries/country-database.js';
import { FLAG_HINT_ANDROID, FLAG_HINT_IOS, FLAG_PARAMS_DROPPED, FLAG_QR } from '../../spool/record-layout.js';
import { readNetwork } from './click-address.js';
import type { RecordedClick } from './click-events.js';
import {
  ADDRESS_TEXT,
  BOT_REASON,
  CAMPAIGN,
  type ClickFields,
  COUNTRY,
  DESTINATION,
  HOST,
  ITEM_ID,
  PATH,
  QUERY,
  REFERRER,
  RESOURCE_TYPE_ID,
  SUBJECT_ID,
  USER_AGENT,
  UTM,
} from './click-fields.js';
import { ClickPlaces } from './click-places.js';
import type { CopyBuffer } from './copy-buffer.js';
import { NULL_FIELD, textField } from './copy-buffer.js';
import { destinationQuery } from './destination-query.js';
import { utcDay } from './local-days.js';
import type { MatchKeys } from './match-keys.js';
import { leadsToPlayStore, type OpenClickRows } from './open-click-rows.js';
import { HASH_BYTES } from './pending-blocks.js';
import { PreparedText, type PreparedUserAgent, type PreparedUtm, type TextPreparer } from './prepared-text.js';
import { ReferrerHost } from './referrer-host.js';
import type { DictionaryEntry } from './segment-scan.js';
import type { VisitorHashes } from './visitor-hashes.js';

const QR_FIELD = textField('qr' satisfies ClickSource);
const KIND_FIELDS = CLICK_KINDS.map((kind) => textField(kind));
const SUBJECT_KINDS: readonly IdKind[] = ['link', 'urlTemplate'];
const ULID_CHARACTERS = 26;
/** 2100-01-01. A later time comes from a broken clock and would create a partition that is never dropped. */
const OCCURRED_AT_MS_MAX = 4_102_444_800_000;

/**
 * Where a row goes: its columns into `rows`, and the values to be hashed into `hashes`, which fills in the results later. A
 * person's click on a phone also goes into `open`, its match key through `matchKeys`.
 */
export interface RowTarget {
  readonly rows: CopyBuffer;
  readonly hashes: VisitorHashes;
  readonly open: OpenClickRows;
  readonly matchKeys: MatchKeys;
  /** The column batch_id. */
  readonly batchField: Buffer;
}

/**
 * Turns click records into rows of the click log, with the columns of `CLICK_TABLE`. Pure except for the file of places:
 * everything else it needs is in the record, the segment's dictionary, the day's keys and the project's calendar.
 */
export class ClickRows {
  readonly #texts: TextPreparer;
  readonly #places: ClickPlaces;
  readonly #referrer = new ReferrerHost();
  readonly #subject = new Uint8Array(16);
  readonly #resourceType = new Uint8Array(16);

  /** `countries` locates addresses; null without the operator's file. */
  constructor(texts: TextPreparer, countries: Pick<CountryDatabase, 'placeOf'> | null) {
    this.#texts = texts;
    this.#places = new ClickPlaces(countries);
  }

  /** Returns false if the click names no subject that could exist. Then the redirect path did not make it. */
  isSound(fields: ClickFields): boolean {
    const kind = SUBJECT_KINDS[fields.kind];
    if (kind === undefined || fields.occurred_at_ms > OCCURRED_AT_MS_MAX || fields.environment_number < 1) return false;
    if (!readId(fields, SUBJECT_ID, kind, this.#subject)) return false;
    return fields.isEmpty(RESOURCE_TYPE_ID) || readId(fields, RESOURCE_TYPE_ID, 'resourceType', this.#resourceType);
  }

  /**
   * Writes the row of the click that was last passed to `isSound`. `id` is the click's id in 16 bytes, `visitorDay` the day in
   * the project's time zone.
   */
  write(fields: ClickFields, id: Uint8Array, visitorDay: number, target: RowTarget): void {
    const { rows } = target;
    const { bytes } = fields.memory;
    const { starts, ends } = fields;
    const visitor = this.userAgent(fields).under(hintOf(fields.flags));
    const campaign = preparedText(fields.entries[CAMPAIGN] as DictionaryEntry);
    const host = preparedText(fields.entries[HOST] as DictionaryEntry);
    const utm = this.#utm(fields);
    rows.reserve(rowBytesMax(fields) + host.field.length + campaign.fieldOrNull.length + utm.fields.length);
    rows.int16(CLICK_TABLE.length);
    rows.int32(16);
    rows.field(id);
    rows.timestamp(fields.occurred_at_ms);
    rows.integer(fields.environment_number);
    rows.field(KIND_FIELDS[fields.kind] as Buffer);
    rows.int32(16);
    rows.field(this.#subject);
    if (fields.isEmpty(RESOURCE_TYPE_ID)) rows.nullField();
    else {
      rows.int32(16);
      rows.field(this.#resourceType);
    }
    rows.textOrNull(bytes, starts[ITEM_ID] as number, ends[ITEM_ID] as number);
    rows.field(host.field);
    rows.text(bytes, starts[PATH] as number, ends[PATH] as number);
    rows.field(visitor.fields);
    const botReason = fields.entries[BOT_REASON] as DictionaryEntry;
    rows.boolean(botReason.text !== '');
    rows.field(preparedText(botReason).fieldOrNull);
    const place = this.#places.of(fields, preparedText(fields.entries[COUNTRY] as DictionaryEntry).place);
    rows.field(place.fields);
    rows.field((fields.flags & FLAG_QR) !== 0 ? QR_FIELD : NULL_FIELD);
    this.#referrer.read(bytes, starts[REFERRER] as number, ends[REFERRER] as number);
    rows.textOrNull(this.#referrer.bytes, 0, this.#referrer.length);
    rows.field(campaign.fieldOrNull);
    rows.field(utm.fields);
    rows.textOrNull(bytes, starts[QUERY] as number, ends[QUERY] as number);
    rows.boolean((fields.flags & FLAG_PARAMS_DROPPED) !== 0);
    rows.textOrNull(bytes, starts[DESTINATION] as number, ends[DESTINATION] as number);
    rows.field(target.batchField);
    rows.field(this.userAgent(fields).hashField);
    const network = isAnonymous(fields) ? writeNoHashes(id, rows) : this.#writeHashes(fields, visitorDay, target);
    const { appPlatform } = visitor;
    // A visitor that may be on an iPad or a Mac is led to no app if there is a destination for a Mac.
    const isLedToApp = appPlatform !== null && (appPlatform === visitor.visitor.platform || fields.isEmpty(DESTINATION));
    if (!isLedToApp && !leadsToPlayStore(bytes, starts[DESTINATION] as number, ends[DESTINATION] as number)) return;
    const parts = {
      id,
      kind: KIND_FIELDS[fields.kind] as Buffer,
      subject: this.#subject,
      visitor,
      day: utcDay(fields.occurred_at_ms),
      // All clicks but those of people on phones are matched only by the click's id, which the store or the page passes on.
      network: isLedToApp && botReason.text === '' ? network : null,
    };
    target.open.add(fields, appPlatform ?? 'android', parts, target.matchKeys);
  }

  /** Returns the body of the click's event, made from the same parts as its row. */
  event(fields: ClickFields, id: Uint8Array): RecordedClick {
    const { visitor, program } = this.userAgent(fields).under(hintOf(fields.flags));
    const { place } = this.#places.of(fields, preparedText(fields.entries[COUNTRY] as DictionaryEntry).place);
    const { utm } = this.#utm(fields);
    const { bytes } = fields.memory;
    this.#referrer.read(bytes, fields.starts[REFERRER] as number, fields.ends[REFERRER] as number);
    const botReason = (fields.entries[BOT_REASON] as DictionaryEntry).text;
    return {
      id: ID_PREFIXES.click + encodeUlid(id),
      occurred_at_ms: fields.occurred_at_ms,
      kind: CLICK_KINDS[fields.kind] as ClickKind,
      subject_id: fields.text(SUBJECT_ID),
      resource_type_id: nullIfEmpty(fields.text(RESOURCE_TYPE_ID)),
      item_id: nullIfEmpty(fields.text(ITEM_ID)),
      host: (fields.entries[HOST] as DictionaryEntry).text,
      path: fields.text(PATH),
      platform: visitor.platform,
      os_version: nullIfEmpty(visitor.os_version),
      in_app_browser: nullIfEmpty(visitor.in_app_browser),
      os: nullIfEmpty(program.os),
      browser: nullIfEmpty(program.browser),
      browser_version: nullIfEmpty(program.browser_version),
      bot: botReason !== '',
      bot_reason: nullIfEmpty(botReason),
      country: nullIfEmpty(place.country),
      region: nullIfEmpty(place.region),
      city: nullIfEmpty(place.city),
      source: (fields.flags & FLAG_QR) !== 0 ? 'qr' : 'link',
      referrer_host: nullIfEmpty(Buffer.from(this.#referrer.bytes.buffer, 0, this.#referrer.length).toString('latin1')),
      campaign: nullIfEmpty((fields.entries[CAMPAIGN] as DictionaryEntry).text),
      utm_source: utm.utm_source,
      utm_medium: utm.utm_medium,
      utm_campaign: utm.utm_campaign,
      utm_term: utm.utm_term,
      utm_content: utm.utm_content,
      params: nullIfEmpty(fields.text(QUERY)),
      params_dropped: (fields.flags & FLAG_PARAMS_DROPPED) !== 0,
      destination: nullIfEmpty(fields.text(DESTINATION)),
    };
  }

  /** Returns what was derived from the click's user agent. */
  userAgent(fields: ClickFields): PreparedUserAgent {
    const entry = fields.entries[USER_AGENT] as DictionaryEntry;
    const prepared = preparedText(entry);
    prepared.user_agent ??= this.#texts.userAgent(entry.text);
    return prepared.user_agent;
  }

  /**
   * The UTM fields in the destination take precedence, because the visitor was sent there. If the destination has no such
   * parameters, the link's own are used.
   */
  #utm(fields: ClickFields): PreparedUtm {
    const { memory, starts, ends } = fields;
    const entry = fields.entries[UTM] as DictionaryEntry;
    const query = destinationQuery(memory.bytes, starts[DESTINATION] as number, ends[DESTINATION] as number);
    if (query !== -1) {
      const text = memory.buffer.toString('utf8', query, ends[DESTINATION]);
      return this.#texts.utm(entry.text, text.split('#', 1)[0] as string);
    }
    const prepared = preparedText(entry);
    prepared.utm ??= this.#texts.utm(entry.text, '');
    return prepared.utm;
  }

  /** Returns the network of the address; null if it is not known. */
  #writeHashes(fields: ClickFields, visitorDay: number, { rows, hashes }: RowTarget): Uint8Array | null {
    const known = readNetwork(fields, hashes.address);
    if (known) hashes.noteAddress(utcDay(fields.occurred_at_ms), rows.hole(HASH_BYTES));
    else {
      rows.nullField();
      hashes.address.fill(0);
    }
    hashes.noteVisitor(visitorDay, rows.hole(HASH_BYTES), fields.environment_number, this.userAgent(fields).hash);
    return known ? hashes.address : null;
  }
}

/** Whether the visitor opted out: then no address was written at all. */
function isAnonymous(fields: ClickFields): boolean {
  return fields.address_bytes === 0 && fields.isEmpty(ADDRESS_TEXT);
}

/**
 * Uses the end of the click's own id, which says nothing about the visitor, in place of the visitor hash. So every such click
 * counts as a visitor.
 */
function writeNoHashes(id: Uint8Array, rows: RowTarget['rows']): null {
  rows.nullField();
  rows.int32(HASH_BYTES);
  rows.field(id.subarray(id.length - HASH_BYTES));
  return null;
}

function preparedText(entry: DictionaryEntry): PreparedText {
  entry.prepared ??= new PreparedText(entry.text);
  return entry.prepared;
}

/** The client hint in a record. */
export function hintOf(flags: number): PlatformHint {
  if ((flags & FLAG_HINT_IOS) !== 0) return 'ios';
  return (flags & FLAG_HINT_ANDROID) !== 0 ? 'android' : '';
}

/**
 * 35 lengths and the columns of fixed size take less than 512 of the 2,048 bytes. A text of the record at most triples in size,
 * if it is all zeros.
 */
function rowBytesMax(fields: ClickFields): number {
  return 2048 + 3 * ((fields.ends[ADDRESS_TEXT] as number) - (fields.starts[SUBJECT_ID] as number));
}

/** Decodes the id in a text into the 16 bytes of `target`. Returns false if it is not an id of the kind. */
export function readId(fields: ClickFields, field: number, kind: IdKind, target: Uint8Array): boolean {
  const { bytes } = fields.memory;
  const start = fields.starts[field] as number;
  const prefix = ID_PREFIXES[kind];
  if ((fields.ends[field] as number) - start !== prefix.length + ULID_CHARACTERS) return false;
  for (let index = 0; index < prefix.length; index++) if (bytes[start + index] !== prefix.charCodeAt(index)) return false;
  return decodeUlidBytes(bytes, start + prefix.length, target, 0);
}

function nullIfEmpty<Text extends string>(text: Text | ''): Text | null {
  return text === '' ? null : text;
}
