import type { ClientBase } from 'pg';
import type { Clock } from '../../shared/base/clock.js';
import type { CountryDatabase } from '../countries/country-database.js';
import type { BatchProgress } from './batch-progress.js';
import { BATCH_BYTES, BatchRows } from './batch-rows.js';
import { ClickBatch } from './click-batch.js';
import type { Attempted, ClickShipper, ShipOutcome } from './click-shipper.js';
import { RowBuffers, RowStream } from './row-stream.js';
import type { RecordMemory } from './rows/segment-scan.js';
import type { TrackedSegment } from './segments/tracked-segment.js';
import { addClickBatch, nextClickBatch } from './sql.js';

/** The contents of one transaction. */
interface Shipment {
  /** Segments that have something to read. */
  readonly ready: readonly TrackedSegment[];
  readonly progress: BatchProgress;
  readonly batch: ClickBatch;
}

/**
 * Moves clicks into the click log of PostgreSQL, in one transaction per batch: the rows, the events, a record that the batch
 * waits to be counted, and how far each segment is stored. So a click is stored exactly once, no matter which process dies
 * when.
 */
export class PostgresShipper implements ClickShipper {
  readonly #rows: BatchRows;
  readonly #buffers = new RowBuffers();
  /** The newest batch; null while one is begun. */
  #progress: BatchProgress | null = null;

  /**
   * `backlogMax` limits the deliveries of clicks that may wait for one webhook endpoint; `countries` is null without the
   * operator's file.
   */
  constructor(clock: Clock, backlogMax: number, countries: Pick<CountryDatabase, 'placeOf'> | null = null) {
    this.#rows = new BatchRows(clock, backlogMax, countries);
  }

  get memory(): RecordMemory {
    return this.#rows.memory;
  }

  get attempted(): Attempted {
    return this.#progress?.attempted ?? new Map();
  }

  forget(): void {
    this.#rows.context.forget();
  }

  /** Throws the database's errors. Then nothing was stored, unless the commit itself failed. */
  async ship(client: ClientBase, segments: readonly TrackedSegment[]): Promise<ShipOutcome> {
    const rows = this.#rows;
    this.#progress = null;
    const progress = await rows.begin(client);
    this.#progress = progress;
    const ready = await rows.makeReady(client, progress, segments);
    if (ready.length === 0) return progress.outcome('nothing');
    const batch = new ClickBatch(await nextClickBatch(client), addClickBatch);
    // Overrides the server's default: a segment's file may be removed only when its clicks can no longer be lost.
    await client.query('BEGIN; SET LOCAL synchronous_commit TO on');
    if (!(await rows.fence(client, ready))) {
      await client.query('ROLLBACK');
      return progress.outcome('fenced');
    }
    await this.#copyRows(client, { ready, progress, batch });
    const growth = await rows.storeRest(client, progress, batch);
    await client.query('COMMIT');
    batch.committed();
    progress.committed();
    return progress.outcome('shipped', growth);
  }

  async #copyRows(client: ClientBase, { ready: segments, progress, batch }: Shipment): Promise<void> {
    const rows = this.#rows;
    const stream = new RowStream(client, this.#buffers);
    let bytes = 0;
    for (const segment of segments) {
      const step = progress.beginStep(segment);
      while (bytes < BATCH_BYTES && !rows.isFull && step.clicks < segment.clicks_max) {
        const scan = await rows.read(segment, step.position, segment.end);
        // A chunk that needs something from the database waits for the next batch, because the COPY occupies the connection.
        if (scan.end === 0 || !rows.isReadyFor(scan)) break;
        rows.writeChunk(progress, step, scan.clicks, { rows: stream.rows, batch });
        step.position += scan.end;
        bytes += scan.end;
        await stream.send();
        if (segment.refuse_next || scan.stop === 'invalid') break;
      }
      segment.reader.forgetPrepared();
    }
    await stream.end();
  }
}
