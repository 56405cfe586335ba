import type { ClientBase } from 'pg';
import type { Clock } from '../../shared/base/clock.js';
import { randomInt64 } from '../../shared/base/random-text.js';
import type { ClickHouse } from '../../shared/clickhouse/connection.js';
import { ClickBlocks } from '../../shared/clickhouse/row-binary.js';
import { storeBlocks } from '../../shared/clickhouse/store-blocks.js';
import type { CountryDatabase } from '../countries/country-database.js';
import type { BatchProgress, Step } from './batch-progress.js';
import { BATCH_BYTES, BatchRows, CHUNK_BYTES } from './batch-rows.js';
import { ClickBatch } from './click-batch.js';
import type { Attempted, ClickShipper, ShipOutcome } from './click-shipper.js';
import { CopyBuffer } from './rows/copy-buffer.js';
import type { RecordMemory, Scan } from './rows/segment-scan.js';
import { addClickIntents, type ClickIntent, deleteClickIntents, readClickIntents } from './segments/sql.js';
import type { TrackedSegment } from './segments/tracked-segment.js';
import { addUncountedBatch } from './sql.js';

export interface ClickHouseShipperSettings {
  readonly clickHouse: ClickHouse;
  readonly clock: Clock;
  /** Limit on the deliveries of clicks that may wait for one webhook endpoint. */
  readonly backlogMax: number;
  /** Locates addresses; null without the operator's file. */
  readonly countries: Pick<CountryDatabase, 'placeOf'> | null;
}

/** A batch as rows. */
interface Shipment {
  readonly batchId: string;
  readonly batch: ClickBatch;
  readonly progress: BatchProgress;
  readonly blocks: ClickBlocks;
}

/**
 * Moves clicks into ClickHouse, and what is stored with them into PostgreSQL, each once although there is no transaction over
 * both:
 *
 *     1  one transaction of PostgreSQL writes the intent: the batch, and up to where it goes in each segment
 *     2  the rows are inserted, those of each day (UTC) together, under the batch's name, by which ClickHouse deduplicates them
 *     3  one transaction of PostgreSQL deletes the intent, stores the rest, and records how far each segment is stored
 *
 * A shipper that finds an intent does 2 and 3 with all clicks that it names, and waits until they can be read. If two shippers
 * do so, one of them finds in the last transaction that the intent is gone.
 */
export class ClickHouseShipper implements ClickShipper {
  readonly #clickHouse: ClickHouse;
  readonly #clock: Clock;
  readonly #rows: BatchRows;
  readonly #buffer = new CopyBuffer(2 * CHUNK_BYTES);
  #abort = new AbortController();

  constructor({ clickHouse, clock, backlogMax, countries }: ClickHouseShipperSettings) {
    this.#clickHouse = clickHouse;
    this.#clock = clock;
    this.#rows = new BatchRows(clock, backlogMax, countries);
  }

  get memory(): RecordMemory {
    return this.#rows.memory;
  }

  /** Always empty: the contents of a batch are fixed by its intent, even if PostgreSQL refuses it. */
  get attempted(): Attempted {
    return new Map();
  }

  forget(): void {
    this.#rows.context.forget();
  }

  /** Aborts the statement of ClickHouse that is under way. */
  abort(): void {
    this.#abort.abort();
    this.#abort = new AbortController();
  }

  async ship(client: ClientBase, given: readonly TrackedSegment[]): Promise<ShipOutcome> {
    const rows = this.#rows;
    const progress = await rows.begin(client);
    // Such an intent can be given up only when its segment is no longer written. Until then, it must not hold up the other segments.
    const segments = given.filter((segment) => !segment.has_lost_intent || segment.isClosed(this.#clock));
    const found = await readClickIntents(
      client,
      segments.map(({ reader }) => reader.id),
    );
    // Random, not taken from a sequence. A number that PostgreSQL forgets in a failover and gives out again would make
    // ClickHouse skip other clicks as duplicates.
    const batchId = found[0]?.batch_id ?? randomInt64();
    const shipment = { batchId, batch: new ClickBatch(batchId, addUncountedBatch), progress, blocks: new ClickBlocks() };
    // The rest of an intent is retried as a part of it, because the first attempt may have stored it, and another batch would
    // store it twice.
    if (!(await this.#makeRows(client, segments, found, shipment))) return progress.outcome('nothing');
    const outcome = await this.#store(client, found, shipment);
    if (outcome.kind !== 'fenced') giveUpLost(segments, found);
    return outcome;
  }

  async #store(client: ClientBase, found: readonly ClickIntent[], shipment: Shipment): Promise<ShipOutcome> {
    const { batchId, progress, blocks } = shipment;
    if (progress.steps.length === 0) return progress.outcome('nothing');
    if (found.length === 0 && !(await this.#writeIntent(client, shipment))) return progress.outcome('fenced');
    await storeBlocks(this.#clickHouse, blocks, { name: batchId, again: found.length > 0, abort: this.#abort.signal });
    return this.#finish(client, shipment);
  }

  /**
   * Makes rows of exactly what the intent names, or of as much as a batch holds if there is none. Returns false if an intent
   * must wait because one of its segments cannot be read that far at the moment. A damaged segment ends at the damage.
   */
  async #makeRows(
    client: ClientBase,
    segments: readonly TrackedSegment[],
    found: readonly ClickIntent[],
    shipment: Shipment,
  ): Promise<boolean> {
    const { progress } = shipment;
    const intents = new Map(found.map((intent) => [intent.segment_id, intent]));
    for (const segment of segments) {
      const intent = intents.get(segment.reader.id);
      if (found.length > 0 && intent === undefined) continue;
      const step = progress.beginStep(segment);
      const isWhole =
        intent === undefined ? await this.#readOn(client, step, shipment) : await this.#readIntent(client, step, intent, shipment);
      segment.reader.forgetPrepared();
      if (!isWhole) return false;
    }
    progress.dropUnread();
    return true;
  }

  /** Reads as much as the batch has room for. */
  async #readOn(client: ClientBase, step: Step, shipment: Shipment): Promise<true> {
    const { segment } = step;
    const rows = this.#rows;
    while (shipment.progress.bytes < BATCH_BYTES && !rows.isFull) {
      const scan = await rows.read(segment, step.position, segment.end);
      if (step.clicks === 0) segment.note(scan);
      if (scan.end === 0 || !(await this.#add(client, step, scan, shipment))) break;
    }
    return true;
  }

  /** Reads what the intent names. Returns false if it cannot be read at the moment. */
  async #readIntent(client: ClientBase, step: Step, { to_bytes }: ClickIntent, shipment: Shipment): Promise<boolean> {
    const { segment } = step;
    while (step.position < to_bytes) {
      const scan = await this.#rows.read(segment, step.position, { offset: to_bytes, promised: true, sealed: true });
      if (scan.end === 0) return segment.missIntent(this.#clock);
      if (!(await this.#add(client, step, scan, shipment))) return false;
    }
    segment.foundIntent();
    return true;
  }

  /** Makes rows of the chunk that was read. Returns false if the database lacks what they need. */
  async #add(client: ClientBase, step: Step, scan: Scan, shipment: Shipment): Promise<boolean> {
    const rows = this.#rows;
    if (!rows.isReadyFor(scan)) await rows.makeReadyFor(client, shipment.progress, scan);
    if (!rows.isReadyFor(scan)) return false;
    this.#addChunk(step, scan.clicks, shipment);
    step.position += scan.end;
    return true;
  }

  #addChunk(step: Step, clicks: number, { batch, progress, blocks }: Shipment): void {
    this.#buffer.at = 0;
    this.#rows.writeChunk(progress, step, clicks, { rows: this.#buffer, batch });
    blocks.add(this.#buffer.filled());
  }

  /** Returns false if another shipper works on one of the segments. */
  async #writeIntent(client: ClientBase, { batchId, progress: { steps } }: Shipment): Promise<boolean> {
    await client.query('BEGIN; SET LOCAL synchronous_commit TO on');
    const written =
      (await this.#fence(client, steps)) &&
      (await addClickIntents(
        client,
        steps.map(({ segment, position, click_number }) => ({
          segment_id: segment.reader.id,
          batch_id: batchId,
          to_bytes: position,
          to_clicks: click_number,
        })),
      ));
    await client.query(written ? 'COMMIT' : 'ROLLBACK');
    return written;
  }

  async #finish(client: ClientBase, { batchId, batch, progress }: Shipment): Promise<ShipOutcome> {
    const ids = progress.steps.map(({ segment }) => segment.reader.id);
    await client.query('BEGIN; SET LOCAL synchronous_commit TO on');
    if (!(await this.#fence(client, progress.steps)) || !(await deleteClickIntents(client, batchId, ids))) {
      await client.query('ROLLBACK');
      return progress.outcome('fenced');
    }
    const growth = await this.#rows.storeRest(client, progress, batch);
    await client.query('COMMIT');
    batch.committed();
    progress.committed();
    return progress.outcome('shipped', growth);
  }

  #fence(client: ClientBase, steps: readonly Step[]): Promise<boolean> {
    return this.#rows.fence(
      client,
      steps.map(({ segment }) => segment),
    );
  }
}

/**
 * Gives up the damaged segments of an intent. Nothing after the damage may be read any more, even if it becomes readable,
 * because it would go into another batch.
 */
function giveUpLost(segments: readonly TrackedSegment[], found: readonly ClickIntent[]): void {
  const named = new Set(found.map(({ segment_id }) => segment_id));
  for (const segment of segments) if (segment.has_lost_intent && named.has(segment.reader.id)) segment.giveUp();
}
