import type { Database } from '../db/database.js';
import { NO_SUBJECT } from './dimensions.js';
import { QUARTER_SECONDS } from './quarters.js';

/** A click of the log, as far as it is counted. Texts are UTF-8 with one character a byte, a `uuid` is its 16 bytes so; '' for null. */
export interface CountedClick {
  environment_number: number;
  /** The quarter of an hour it fell in, of those since 1970. */
  quarter: number;
  /** A link's; otherwise an item's of a template. */
  is_link: boolean;
  subject_id: string;
  resource_type_id: string;
  item_id: string;
  platform: string;
  country: string;
  referrer_host: string;
  campaign: string;
  visitor_high: number;
  visitor_low: number;
  bot: boolean;
}

const COLUMNS = `environment_number, occurred_at, kind, subject_id, coalesce(resource_type_id, '${NO_SUBJECT}'),
  item_id, platform, country, referrer_host, campaign, visitor_hash, bot`;

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
  #bytes: Buffer = this.#rest;
  #at = 0;
  readonly #click: CountedClick = {
    environment_number: 0,
    quarter: 0,
    is_link: false,
    subject_id: '',
    resource_type_id: '',
    item_id: '',
    platform: '',
    country: '',
    referrer_host: '',
    campaign: '',
    visitor_high: 0,
    visitor_low: 0,
    bot: false,
  };

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
    this.#bytes = bytes;
    let rows = 0;
    for (let end = endOfRow(bytes, at); end !== -1 && rows < rowsMax; end = endOfRow(bytes, at)) {
      this.#at = at + 2;
      this.#readRow();
      at = end;
      rows++;
      this.#take(this.#click);
    }
    return bytes.subarray(at);
  }

  #readRow(): void {
    const click = this.#click;
    const bytes = this.#bytes;
    click.environment_number = bytes.readInt32BE(this.#at + 4);
    const microseconds = bytes.readInt32BE(this.#at + 12) * 0x100000000 + bytes.readUInt32BE(this.#at + 16);
    click.quarter = Math.floor((microseconds / 1_000_000 + POSTGRES_EPOCH_S) / QUARTER_SECONDS);
    this.#at += 20;
    click.is_link = this.#text() === 'link';
    click.subject_id = this.#text();
    click.resource_type_id = this.#text();
    click.item_id = this.#text();
    click.platform = this.#text();
    click.country = this.#text();
    click.referrer_host = this.#text();
    click.campaign = this.#text();
    click.visitor_high = bytes.readInt32BE(this.#at + 4);
    click.visitor_low = bytes.readInt32BE(this.#at + 8);
    click.bot = bytes[this.#at + 16] === 1;
  }

  #text(): string {
    const from = this.#at + 4;
    const length = this.#bytes.readInt32BE(this.#at);
    this.#at = length > 0 ? from + length : from;
    return length > 0 ? this.#bytes.toString('latin1', from, from + length) : '';
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
