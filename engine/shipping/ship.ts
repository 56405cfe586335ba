import type { ClientBase } from 'pg';
import type { Clock } from '../../shared/base/clock.js';
import { invariant } from '../../shared/base/invariant.js';
import type { CountryDatabase } from '../countries/country-database.js';
import { DEVICE_KIND } from '../spool/click.js';
import { HEADER_BYTES } from '../spool/segment.js';
import { growBacklogs } from '../webhooks/sql.js';
import { ClickBatch } from './click-batch.js';
import { ClickContext } from './click-context.js';
import { ClickFanOut } from './click-fan-out.js';
import { CopyIn } from './copy-in.js';
import { RowBuffers, RowStream } from './row-stream.js';
import { ClickDeviceRows } from './rows/click-device-rows.js';
import { ClickEvents } from './rows/click-events.js';
import { ClickFields } from './rows/click-fields.js';
import { ClickRows, type RowTarget } from './rows/click-rows.js';
import { MatchKeys } from './rows/match-keys.js';
import { OPEN_CLICKS_COPY, OpenClickRows } from './rows/open-click-rows.js';
import { TextPreparer } from './rows/prepared-text.js';
import { RecordMemory } from './rows/segment-scan.js';
import { VisitorHashes } from './rows/visitor-hashes.js';
import { advanceClickSegments, lockClickSegments } from './segments/sql.js';
import type { TrackedSegment } from './segments/tracked-segment.js';
import { nextClickBatch, readClickSubscribers } from './sql.js';

/** One read of a segment: some 4,000 clicks. The event loop is held for their 10 ms at most. */
const CHUNK_BYTES = 1024 * 1024;
/** One transaction: large enough that its commit costs little, small enough to be gone in a fraction of a second. */
const BATCH_BYTES = 16 * CHUNK_BYTES;
/** Events are held until the rows are in: some 1 KiB each. */
const BATCH_EVENTS_MAX = 5000;
/** The shortest click takes 52 bytes. */
const CHUNK_CLICKS_MAX = CHUNK_BYTES / 52;

/** How far a segment came in a batch. */
interface Step {
  readonly segment: TrackedSegment;
  position: number;
  click_number: number;
  clicks: number;
}

/** What one transaction is about. */
interface Shipment {
  /** Segments that have something to read. */
  readonly ready: readonly TrackedSegment[];
  /** The endpoints that receive the clicks. */
  readonly fanOut: ClickFanOut;
  readonly batch: ClickBatch;
}

/**
 * `shipped`: stored and committed. `fenced`: another shipper has stored from one of the segments meanwhile; nothing was
 * done, and all have to be attached again. `nothing`: there was no whole record to read.
 */
export interface ShipOutcome {
  readonly kind: 'shipped' | 'fenced' | 'nothing';
  readonly clicks: number;
  readonly refused: number;
  readonly deliveries: number;
}

/** What a batch was doing when PostgreSQL refused it: clicks by segment. */
export type Attempted = ReadonlyMap<TrackedSegment, number>;

/**
 * Moves clicks from segments into the click log, one transaction a batch: the rows, the events, that the batch waits to
 * be counted, and how far each segment is stored, so that a click is stored exactly once whatever dies when. Buffers and
 * caches are kept from batch to batch.
 */
export class Shipper {
  readonly #clock: Clock;
  readonly #backlogMax: number;
  readonly #context: ClickContext;
  readonly #rows: ClickRows;
  readonly #memory = new RecordMemory(CHUNK_BYTES);
  readonly #offsets = new Int32Array(CHUNK_CLICKS_MAX);
  readonly #fields = new ClickFields(this.#memory);
  readonly #buffers = new RowBuffers();
  readonly #open = new OpenClickRows();
  readonly #devices = new ClickDeviceRows();
  readonly #events = new ClickEvents();
  readonly #id = new Uint8Array(16);
  #steps: Step[] = [];
  #refused = 0;

  /** `backlogMax` is how many deliveries of clicks may wait for one webhook endpoint; `countries` is null without the operator's file. */
  constructor(clock: Clock, backlogMax: number, countries: Pick<CountryDatabase, 'placeOf'> | null = null) {
    this.#rows = new ClickRows(new TextPreparer(), countries);
    this.#clock = clock;
    this.#backlogMax = backlogMax;
    this.#context = new ClickContext(clock);
  }

  get memory(): RecordMemory {
    return this.#memory;
  }

  get attempted(): Attempted {
    return new Map(this.#steps.map((step) => [step.segment, step.clicks]));
  }

  /** Believes nothing any more about keys and partitions. */
  forget(): void {
    this.#context.forget();
  }

  /** Ships a batch of attached segments that have something to read. Throws what the database throws; then nothing was stored, unless it was the commit that failed. */
  async ship(client: ClientBase, segments: readonly TrackedSegment[]): Promise<ShipOutcome> {
    this.#steps = [];
    this.#events.begin();
    this.#refused = 0;
    this.#context.refresh();
    const fanOut = new ClickFanOut(await readClickSubscribers(client), this.#backlogMax);
    if (!fanOut.isEmpty) await this.#context.makeEventPartitions(client);
    const ready = await this.#makeReady(client, segments);
    if (ready.length === 0) return this.#outcome('nothing', 0);
    const batch = new ClickBatch(await nextClickBatch(client));
    // Whatever the server's default is: a segment's file goes when its clicks cannot be lost any more.
    await client.query('BEGIN; SET LOCAL synchronous_commit TO on');
    if (!(await this.#fence(client, ready))) {
      await client.query('ROLLBACK');
      return this.#outcome('fenced', 0);
    }
    await this.#copyRows(client, { ready, fanOut, batch });
    await this.#copyOpenClicks(client);
    await this.#devices.insert(client);
    const queued = await this.#events.insert(client, fanOut.receivers());
    await batch.store(client);
    await advanceClickSegments(
      client,
      this.#steps.map((step) => ({ segment_id: step.segment.reader.id, shipped_bytes: step.position, shipped_clicks: step.click_number })),
    );
    const growth = fanOut.growth(queued);
    if (growth.length > 0) await growBacklogs(client, growth);
    await client.query('COMMIT');
    batch.committed();
    this.#afterCommit();
    return this.#outcome(
      'shipped',
      growth.reduce((sum, { queued }) => sum + queued, 0),
    );
  }

  /** Sees to it that the first chunk of each segment can become rows. Returns the segments that have one. */
  async #makeReady(client: ClientBase, segments: readonly TrackedSegment[]): Promise<readonly TrackedSegment[]> {
    const ready: TrackedSegment[] = [];
    let bytes = 0;
    for (const segment of segments) {
      if (bytes >= BATCH_BYTES) break;
      const scan = await segment.reader.read(this.#memory, this.#offsetsFor(segment), segment.reader.position, segment.end);
      segment.note(scan);
      if (scan.end === 0) continue;
      if (!this.#context.isReadyFor(this.#memory, this.#offsets, scan.clicks))
        await this.#context.makeReadyFor(client, this.#memory, this.#offsets, scan.clicks);
      ready.push(segment);
      bytes += scan.end;
    }
    return ready;
  }

  /** Locks the segments' places in the log. False where one is not where this shipper left it. */
  async #fence(client: ClientBase, segments: readonly TrackedSegment[]): Promise<boolean> {
    const locked = new Map(
      (
        await lockClickSegments(
          client,
          segments.map((segment) => segment.reader.id),
        )
      ).map((row) => [row.segment_id, row]),
    );
    return segments.every(({ reader }) => {
      const row = locked.get(reader.id);
      return row?.shipped_clicks === reader.click_number && Math.max(row.shipped_bytes, HEADER_BYTES) === reader.position;
    });
  }

  async #copyRows(client: ClientBase, { ready: segments, fanOut, batch }: Shipment): Promise<void> {
    const stream = new RowStream(client, this.#buffers);
    this.#open.begin();
    this.#devices.begin();
    let bytes = 0;
    for (const segment of segments) {
      const { reader } = segment;
      const step: Step = { segment, position: reader.position, click_number: reader.click_number, clicks: 0 };
      this.#steps.push(step);
      while (bytes < BATCH_BYTES && this.#events.count < BATCH_EVENTS_MAX && step.clicks < segment.clicks_max) {
        const scan = await reader.read(this.#memory, this.#offsetsFor(segment), step.position, segment.end);
        // A chunk that needs something from the database waits for the next batch: the connection is taken by the COPY.
        if (scan.end === 0 || !this.#context.isReadyFor(this.#memory, this.#offsets, scan.clicks)) break;
        const target = this.#rowTarget(stream, batch);
        this.#writeChunk(step, scan.clicks, { target, fanOut, batch });
        step.position += scan.end;
        bytes += scan.end;
        await stream.send();
        if (segment.refuse_next || scan.stop === 'invalid') break;
      }
      reader.forgetPrepared();
    }
    await stream.end();
  }

  async #copyOpenClicks(client: ClientBase): Promise<void> {
    if (this.#open.count === 0) return;
    const failure = await new CopyIn(client, OPEN_CLICKS_COPY).end(this.#open.end());
    if (failure !== null) throw failure;
  }

  #writeChunk(step: Step, clicks: number, { target, fanOut, batch }: Omit<Shipment, 'ready'> & { readonly target: RowTarget }): void {
    const { reader } = step.segment;
    const fields = this.#fields;
    const deviceKeys = new MatchKeys(this.#context.keys);
    for (let index = 0; index < clicks; index++) {
      const number = step.click_number++;
      step.clicks++;
      const whole = fields.read(this.#offsets[index] as number, reader.dictionary);
      if (whole) reader.revealAddress(fields, number);
      const device = fields.kind === DEVICE_KIND;
      if (!whole || step.segment.refuse_next || !(device ? this.#devices.isSound(fields) : this.#rows.isSound(fields))) {
        this.#refused++;
        step.segment.refused_clicks++;
        continue;
      }
      if (device) {
        this.#devices.add(fields, this.#rows.userAgent(fields), deviceKeys);
        continue;
      }
      const environment = this.#context.environment(fields.environment_number);
      invariant(environment !== undefined, 'the environments of a chunk are fetched before its rows are made');
      reader.ids.writeBytes(this.#id, 0, number, fields.occurred_at_ms);
      this.#rows.write(fields, this.#id, environment.days.day(fields.occurred_at_ms), target);
      batch.note(fields.environment_number, fields.occurred_at_ms, this.#rows.userAgent(fields));
      const eventNumber = fanOut.count(fields.environment_number);
      if (environment.id !== null && eventNumber !== -1) {
        const origin = { environment_id: environment.id, environment: environment.name, at_ms: this.#clock() };
        this.#events.add(origin, this.#rows.event(fields, this.#id), eventNumber);
      }
    }
    target.hashes.fill(target.rows);
    this.#open.fill(target.matchKeys);
    this.#devices.fill(deviceKeys);
  }

  /** Where the rows of one chunk go. */
  #rowTarget(stream: RowStream, batch: ClickBatch): RowTarget {
    const { keys } = this.#context;
    return {
      rows: stream.rows,
      hashes: new VisitorHashes(keys),
      open: this.#open,
      matchKeys: new MatchKeys(keys),
      batchField: batch.field,
    };
  }

  #afterCommit(): void {
    for (const { segment, position, click_number } of this.#steps) {
      segment.reader.advance(position, click_number);
      segment.refuse_next = false;
      segment.endBisection();
    }
  }

  #offsetsFor(segment: TrackedSegment): Int32Array {
    if (segment.refuse_next) return this.#offsets.subarray(0, 1);
    return segment.clicks_max < this.#offsets.length ? this.#offsets.subarray(0, segment.clicks_max) : this.#offsets;
  }

  #outcome(kind: ShipOutcome['kind'], deliveries: number): ShipOutcome {
    const clicks = this.#steps.reduce((sum, step) => sum + step.clicks, 0) - this.#refused - this.#devices.count;
    return { kind, clicks, refused: this.#refused, deliveries };
  }
}
