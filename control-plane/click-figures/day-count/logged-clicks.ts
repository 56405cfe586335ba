import { dayBefore } from '../../../shared/base/day-ranges.js';
import { CopiedRows, sqlInstant } from '../../db/copied-rows.js';
import type { Database, Queryable } from '../../db/database.js';
import { QUARTER_SECONDS } from '../../local-days/quarters.js';
import type { Span } from '../../local-days/span.js';
import { daysOf } from '../../local-days/window.js';
import { NO_SUBJECT } from '../dimensions.js';

/** Texts of a click, in the order in which they are stored: a `uuid` as its 16 bytes, others in UTF-8, empty for null. */
export const TEXT = { subject_id: 0, resource_type_id: 1, item_id: 2, platform: 3, country: 4, referrer_host: 5, campaign: 6 } as const;
const CLICK_TEXTS = Object.keys(TEXT).length;

/** A click of the log, with the fields that are counted. */
export class CountedClick {
  environment_number = 0;
  /** The quarter of an hour of the click, as a number of quarters since 1970. */
  quarter = 0;
  /** Whether it is a click on a link; otherwise it is a click on an item of a template. */
  is_link = false;
  visitor_high = 0;
  visitor_low = 0;
  bot = false;
  /** Holds the texts. The text with index n in `TEXT` lies between `starts[n]` and `ends[n]`. */
  bytes: Uint8Array = new Uint8Array(0);
  readonly starts = new Int32Array(CLICK_TEXTS);
  readonly ends = new Int32Array(CLICK_TEXTS);

  /** Returns a copy that does not change when this object is reused. */
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
/**
 * Reads the clicks of the span that meet the condition, which is SQL over the columns of `clicks`. The span keeps the partitions of other
 * days out of the plan. `take` receives the same object for every click, because at 100,000 clicks a second garbage collection of separate
 * objects would be most of the work.
 */
export async function readLoggedClicks(
  database: Database,
  { from, to }: Span,
  condition: string,
  take: (click: CountedClick) => void,
): Promise<void> {
  const click = new CountedClick();
  const rows = new CopiedRows((bytes, from) => {
    readRow(click, bytes, from);
    take(click);
  });
  const inSpan = `occurred_at >= ${sqlInstant(from)} AND occurred_at < ${sqlInstant(to)}`;
  await database.copyOut(
    `COPY (SELECT ${COLUMNS} FROM clicks WHERE ${inSpan} AND ${condition}) TO STDOUT WITH (FORMAT binary)`,
    (chunk) => {
      rows.read(chunk);
      return undefined;
    },
  );
}

/** Makes the clicks of a batch quick to find, however many were stored lately. Must not be called in a transaction. */
export async function summarizeClicks(database: Queryable, { from, to }: Span): Promise<void> {
  const days = daysOf({ from: dayBefore(from.getTime(), 0), to: dayBefore(to.getTime(), 0) });
  await database.query({ name: 'summarize_clicks', text: 'SELECT summarize_clicks($1::date[])', values: [days] });
}

/** Returns the quarter of an hour, as a number of quarters since 1970, of a `timestamptz` in a row of a binary COPY. */
export function quarterAt(bytes: Buffer, at: number): number {
  const microseconds = bytes.readInt32BE(at) * 0x100000000 + bytes.readUInt32BE(at + 4);
  return Math.floor((microseconds / 1_000_000 + POSTGRES_EPOCH_S) / QUARTER_SECONDS);
}

/** Fills in the click from its row, which begins at `from`. Every field is preceded by its length. */
function readRow(click: CountedClick, bytes: Buffer, from: number): void {
  click.environment_number = bytes.readInt32BE(from + 6);
  click.quarter = quarterAt(bytes, from + 14);
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
