import type { Database, Queryable } from '../db/database.js';
import { dayBefore } from './days.js';
import { NO_SUBJECT } from './dimensions.js';
import { QUARTER_SECONDS } from './quarters.js';
import { daysOf } from './window.js';

/** Texts of a click, in the order in which they lie: a `uuid` as its 16 bytes, others in UTF-8, nothing for null. */
export const TEXT = { subject_id: 0, resource_type_id: 1, item_id: 2, platform: 3, country: 4, referrer_host: 5, campaign: 6 } as const;
export const CLICK_TEXTS = Object.keys(TEXT).length;

/** A click of the log, as far as it is counted. */
export class CountedClick {
  environment_number = 0;
  /** The quarter of an hour it fell in, of those since 1970. */
  quarter = 0;
  /** Whether it is a link's; otherwise it is an item's of a template. */
  is_link = false;
  visitor_high = 0;
  visitor_low = 0;
  bot = false;
  /** What the texts lie in: each from where `starts` says to where `ends` does, at its place in `TEXT`. */
  bytes: Uint8Array = new Uint8Array(0);
  readonly starts = new Int32Array(CLICK_TEXTS);
  readonly ends = new Int32Array(CLICK_TEXTS);

  /** A click that stays as it is when this one is filled in again. */
  copy(): CountedClick {
    const copy = Object.assign(new CountedClick(), { ...this, starts: this.starts.slice(), ends: this.ends.slice() });
    const [from = 0] = this.starts;
    copy.bytes = this.bytes.slice(from, this.ends.at(-1));
    for (const places of [copy.starts, copy.ends]) for (const text of places.keys()) (places[text] as number) -= from;
    return copy;
  }
}

const COLUMNS = `environment_number, occurred_at, bot, visitor_hash, kind = 'link', subject_id, coalesce(resource_type_id, '${NO_SUBJECT}'),
  item_id, platform, country, referrer_host, campaign`;

/** Seconds between 1970 and 2000, where PostgreSQL's timestamps begin. */
const POSTGRES_EPOCH_S = 946_684_800;
/** The signature, flags and the length of no extension (https://www.postgresql.org/docs/current/sql-copy.html, "Binary Format"). */
const HEADER_BYTES = 19;
/** More than most rows take. */
const ROW_BYTES = 4096;
/** So many fields of a row that the row has ended. */
const TRAILER = -1;

/**
 * Reads the clicks that the condition, SQL over the columns of `clicks`, is true of. `take` is given the same object for every
 * click, filled in again: at 100,000 clicks a second their garbage would be most of the work.
 */
export async function readLoggedClicks(database: Database, condition: string, take: (click: CountedClick) => void): Promise<void> {
  const rows = new CopiedRows(take);
  await database.copyOut(`COPY (SELECT ${COLUMNS} FROM clicks WHERE ${condition}) TO STDOUT WITH (FORMAT binary)`, (chunk) =>
    rows.read(chunk),
  );
}

/** When clicks were made; before `endAt`. */
export interface ClickSpan {
  readonly fromAt: Date;
  readonly endAt: Date;
}

/** Makes the clicks of a batch quick to find, however many were stored lately. Not in a transaction. */
export async function summarizeClicks(database: Queryable, { fromAt, endAt }: ClickSpan): Promise<void> {
  const days = daysOf({ from: dayBefore(fromAt.getTime(), 0), to: dayBefore(endAt.getTime(), 0) });
  await database.query({ name: 'summarize_clicks', text: 'SELECT summarize_clicks($1::date[])', values: [days] });
}

/** A condition names values in its text: COPY takes no parameters. */
export function sqlInstant(at: Date): string {
  return `'${at.toISOString()}'::timestamptz`;
}

/** Of whole numbers, or of texts that are some. */
export function sqlIntegers(numbers: readonly (number | string)[], type: 'integer' | 'bigint'): string {
  return `'{${numbers.map((number) => BigInt(number)).join(',')}}'::${type}[]`;
}

/** The rows of a binary COPY, whatever pieces they come in. */
class CopiedRows {
  readonly #take: (click: CountedClick) => void;
  /** What the chunk before ended with. */
  #rest: Buffer = Buffer.alloc(0);
  #begun = false;
  readonly #click = new CountedClick();

  constructor(take: (click: CountedClick) => void) {
    this.#take = take;
  }

  read(chunk: Buffer): void {
    if (!this.#begun) {
      const bytes = Buffer.concat([this.#rest, chunk]);
      this.#begun = bytes.length >= HEADER_BYTES;
      this.#rest = this.#begun ? this.#readRows(bytes, HEADER_BYTES) : bytes;
      return;
    }
    const from = this.#rest.length === 0 ? 0 : this.#readBroken(chunk);
    this.#rest = from === -1 ? Buffer.concat([this.#rest, chunk]) : this.#readRows(chunk, from);
  }

  /** Reads the row that this chunk ends and the one before began. Returns where the next row begins in this one, -1 if not even that one ends. */
  #readBroken(chunk: Buffer): number {
    const before = this.#rest.length;
    const joined = Buffer.concat([this.#rest, chunk.subarray(0, ROW_BYTES)]);
    const left = this.#readRows(joined, 0, 1);
    const read = joined.length - left.length;
    return read > before ? read - before : -1;
  }

  /** Reads so many whole rows. Returns what is left. */
  #readRows(bytes: Buffer, from: number, rowsMax = Number.POSITIVE_INFINITY): Buffer {
    let at = from;
    let rows = 0;
    for (let end = endOfRow(bytes, at); end !== -1 && rows < rowsMax; end = endOfRow(bytes, at)) {
      this.#readRow(bytes, at);
      at = end;
      rows++;
      this.#take(this.#click);
    }
    return bytes.subarray(at);
  }

  /** The length of every field stands before it. */
  #readRow(bytes: Buffer, from: number): void {
    const click = this.#click;
    click.environment_number = bytes.readInt32BE(from + 6);
    const microseconds = bytes.readInt32BE(from + 14) * 0x100000000 + bytes.readUInt32BE(from + 18);
    click.quarter = Math.floor((microseconds / 1_000_000 + POSTGRES_EPOCH_S) / QUARTER_SECONDS);
    click.bot = bytes[from + 26] === 1;
    click.visitor_high = bytes.readInt32BE(from + 31);
    click.visitor_low = bytes.readInt32BE(from + 35);
    click.is_link = bytes[from + 43] === 1;
    click.bytes = bytes;
    const { starts, ends } = click;
    let at = from + 44;
    for (let text = 0; text < CLICK_TEXTS; text++) {
      const length = bytes.readInt32BE(at);
      starts[text] = at + 4;
      at += length > 0 ? 4 + length : 4;
      ends[text] = at;
    }
  }
}

/** Where the row at `from` ends; -1 if not all of it is there, or if it is the end of the rows. */
function endOfRow(bytes: Buffer, from: number): number {
  if (from + 2 > bytes.length) return -1;
  const fields = bytes.readInt16BE(from);
  if (fields === TRAILER) return -1;
  let at = from + 2;
  for (let field = 0; field < fields; field++) {
    if (at + 4 > bytes.length) return -1;
    const length = bytes.readInt32BE(at);
    at += length > 0 ? 4 + length : 4;
  }
  return at <= bytes.length ? at : -1;
}
