import type { AppPlatform } from '../../../shared/attribution/match-key.js';
import type { ClickFields } from './click-fields.js';
import { ITEM_ID, QUERY } from './click-fields.js';
import { COPY_HEADER, COPY_TRAILER, CopyBuffer, textField } from './copy-buffer.js';
import type { MatchKeys } from './match-keys.js';
import { HASH_BYTES } from './pending-blocks.js';
import type { PreparedVisitor } from './prepared-text.js';

const COLUMNS = [
  'id',
  'occurred_at',
  'environment_number',
  'platform',
  'kind',
  'subject_id',
  'item_id',
  'params',
  'match_key',
  'language',
  'model',
  'screen',
  'user_agent_hash',
] as const;

export const OPEN_CLICKS_COPY = `COPY open_clicks (${COLUMNS.join(', ')}) FROM STDIN WITH (FORMAT binary)`;

const PLATFORM_FIELDS: Readonly<Record<AppPlatform, Buffer>> = { ios: textField('ios'), android: textField('android') };

/** Most batches are small; one of 16 MiB of segments with nothing but phones makes some 8 MiB of rows. */
const FIRST_BYTES = 64 * 1024;

/** Parts of a click that were already made for its row of the click log. */
export interface OpenClickParts {
  readonly id: Uint8Array;
  readonly kind: Buffer;
  readonly subject: Uint8Array;
  readonly visitor: PreparedVisitor;
  /** Days since the epoch, UTC. */
  readonly day: number;
  /** The network of the address; null if it is unknown. */
  readonly network: Uint8Array | null;
}

const PLAY_STORES = ['https://play.google.com/', 'http://play.google.com/'].map((url) => Buffer.from(url));

/** Whether the destination from `start` to `end` is in the Play Store, which passes the click's id on to the app that it installs. */
export function leadsToPlayStore(source: Uint8Array, start: number, end: number): boolean {
  for (const url of PLAY_STORES) {
    let at = 0;
    while (at < url.length && start + at < end && source[start + at] === url[at]) at++;
    if (at === url.length) return true;
  }
  return false;
}

/**
 * The clicks of a batch to which an app's first open may be matched: those of people on phones, and on what may be an iPad.
 * Clicks of programs there, and all clicks that were led to the Play Store, are included too, but can be matched only by their
 * ids. A connection runs one COPY at a time, so these rows are kept until those of the click log are in, and follow in the same
 * transaction.
 */
export class OpenClickRows {
  readonly #rows = new CopyBuffer(FIRST_BYTES);
  #count = 0;

  get count(): number {
    return this.#count;
  }

  begin(): void {
    this.#count = 0;
    this.#rows.at = 0;
    this.#rows.field(COPY_HEADER);
  }

  /**
   * Adds the click. If its network is known, `keys` fills in its match key later. If the version is unknown, that key is one
   * that no open has.
   */
  add(fields: ClickFields, platform: AppPlatform, parts: OpenClickParts, keys: MatchKeys): void {
    const rows = this.#rows;
    const { bytes } = fields.memory;
    const { starts, ends } = fields;
    const { visitor, network } = parts;
    this.#count++;
    rows.reserve(512 + visitor.factFields.length + 3 * ((ends[QUERY] as number) - (starts[ITEM_ID] as number)));
    rows.int16(COLUMNS.length);
    rows.int32(16);
    rows.field(parts.id);
    rows.timestamp(fields.occurred_at_ms);
    rows.integer(fields.environment_number);
    rows.field(PLATFORM_FIELDS[platform]);
    rows.field(parts.kind);
    rows.int32(16);
    rows.field(parts.subject);
    rows.textOrNull(bytes, starts[ITEM_ID] as number, ends[ITEM_ID] as number);
    rows.textOrNull(bytes, starts[QUERY] as number, ends[QUERY] as number);
    if (network === null || visitor.matchFacts === null) rows.nullField();
    else keys.note(parts.day, rows.hole(HASH_BYTES), { network, facts: visitor.matchFacts, environmentNumber: fields.environment_number });
    rows.field(visitor.factFields);
  }

  /** Fills in the match keys of the clicks that were added since the last call. */
  fill(keys: MatchKeys): void {
    keys.fill(this.#rows);
  }

  /** Returns the complete COPY. */
  end(): Buffer {
    this.#rows.reserve(COPY_TRAILER.length);
    this.#rows.field(COPY_TRAILER);
    return this.#rows.filled();
  }
}
