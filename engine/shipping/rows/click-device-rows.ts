import type { ClientBase } from 'pg';
import { type AppPlatform, undecidedFacts } from '../../../shared/attribution/match-key.js';
import { bytesToUuid } from '../../../shared/base/ids.js';
import { readNetwork } from './click-address.js';
import { type ClickFields, ITEM_ID, SUBJECT_ID } from './click-fields.js';
import { hintOf, readId } from './click-rows.js';
import { CopyBuffer } from './copy-buffer.js';
import { utcDay } from './local-days.js';
import type { MatchKeys } from './match-keys.js';
import { BLOCK_BYTES, HASH_BYTES } from './pending-blocks.js';
import type { PreparedUserAgent } from './prepared-text.js';
import { addClickDevices, type ClickDeviceRow } from './sql.js';

const FIRST_BYTES = 16 * 1024;
/** A key as a field: its length and its bytes. */
const KEY_FIELD_BYTES = 4 + HASH_BYTES;

/** One report. Its keys are filled in later. */
interface Report extends Omit<ClickDeviceRow, 'seen_key' | 'match_key'> {
  /** Where in the buffer the keys go. */
  readonly seenAt: number;
  readonly matchAt: number;
}

/**
 * What pages have learnt about the devices behind their clicks, for one batch. There are few compared with the clicks. The
 * statement that stores them skips existing ones, because a page may be loaded twice and a segment may be shipped again.
 */
export class ClickDeviceRows {
  readonly #keys = new CopyBuffer(FIRST_BYTES);
  readonly #clickId = new Uint8Array(16);
  readonly #network = new Uint8Array(BLOCK_BYTES);
  #reports: Report[] = [];
  #count = 0;

  /** Number of records of the batch, including those by which nothing can be matched. */
  get count(): number {
    return this.#count;
  }

  begin(): void {
    this.#keys.at = 0;
    this.#reports = [];
    this.#count = 0;
  }

  /** Returns false if the record does not name a click of its time. Then the redirect path did not make it. */
  isSound(fields: ClickFields): boolean {
    if (fields.environment_number < 1 || hintOf(fields.flags) === '') return false;
    return readId(fields, SUBJECT_ID, 'click', this.#clickId) && timeOf(this.#clickId) === fields.occurred_at_ms;
  }

  /** Adds the record that was last passed to `isSound`. `keys` fills in its two match keys later. */
  add(fields: ClickFields, userAgent: PreparedUserAgent, keys: MatchKeys): void {
    this.#count++;
    const platform = hintOf(fields.flags) as AppPlatform;
    const { appPlatform, matchFacts, versioned } = userAgent.under(platform);
    // Nothing can be matched without an address, which is lost if its key is gone from memory.
    if (!versioned || appPlatform !== platform || matchFacts === null || !readNetwork(fields, this.#network)) return;
    this.#keys.reserve(2 * KEY_FIELD_BYTES);
    const day = utcDay(fields.occurred_at_ms);
    const hole = (facts: Uint8Array): number => {
      const at = this.#keys.hole(HASH_BYTES);
      keys.note(day, at, { network: this.#network, facts, environmentNumber: fields.environment_number });
      return at;
    };
    this.#reports.push({
      click_id: bytesToUuid(this.#clickId),
      occurred_at: new Date(fields.occurred_at_ms).toISOString(),
      environment_number: fields.environment_number,
      model: fields.isEmpty(ITEM_ID) ? null : fields.text(ITEM_ID).replaceAll('\0', '\ufffd'),
      seenAt: hole(undecidedFacts(platform)),
      matchAt: hole(matchFacts),
    });
  }

  /** Fills in the match keys of the records that were added since the last call. */
  fill(keys: MatchKeys): void {
    keys.fill(this.#keys);
  }

  /** Must run in the transaction that stores the batch, after all rows are copied. */
  async insert(client: ClientBase): Promise<void> {
    if (this.#reports.length === 0) return;
    const keyAt = (at: number): string => this.#keys.bytes.readBigInt64BE(at).toString();
    await addClickDevices(
      client,
      this.#reports.map(({ seenAt, matchAt, ...row }) => ({ ...row, seen_key: keyAt(seenAt), match_key: keyAt(matchAt) })),
    );
  }
}

/** Returns the milliseconds at the beginning of a ULID. */
function timeOf(ulid: Uint8Array): number {
  return Buffer.from(ulid.buffer, ulid.byteOffset, ulid.byteLength).readUIntBE(0, 6);
}
