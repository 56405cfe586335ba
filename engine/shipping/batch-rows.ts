import type { ClientBase } from 'pg';
import type { Clock } from '../../shared/base/clock.js';
import { invariant } from '../../shared/base/invariant.js';
import type { CountryDatabase } from '../countries/country-database.js';
import { DEVICE_KIND } from '../spool/click.js';
import { HEADER_BYTES } from '../spool/segment.js';
import type { BacklogGrowth } from '../webhooks/backlog-sql.js';
import { growBacklogs } from '../webhooks/backlog-sql.js';
import type { ClickBatch } from './click-batch.js';
import { ClickContext } from './click-context.js';
import { ClickFanOut } from './click-fan-out.js';
import { CopyIn } from './copy-in.js';
import { ClickDeviceRows } from './rows/click-device-rows.js';
import { ClickEvents } from './rows/click-events.js';
import { ClickFields } from './rows/click-fields.js';
import { ClickRows, type RowTarget } from './rows/click-rows.js';
import type { CopyBuffer } from './rows/copy-buffer.js';
import { MatchKeys } from './rows/match-keys.js';
import { OPEN_CLICKS_COPY, OpenClickRows } from './rows/open-click-rows.js';
import { TextPreparer } from './rows/prepared-text.js';
import { RecordMemory, type Scan } from './rows/segment-scan.js';
import { VisitorHashes } from './rows/visitor-hashes.js';
import type { ReadableEnd } from './segments/segment-reader.js';
import { advanceClickSegments, lockClickSegments } from './segments/sql.js';
import type { TrackedSegment } from './segments/tracked-segment.js';
import { readClickSubscribers } from './sql.js';

/** Bytes of one read of a segment: some 4,000 clicks. It blocks the event loop for at most the 10 ms that they take. */
export const CHUNK_BYTES = 1024 * 1024;
/** Bytes of one transaction: large enough that its commit costs little, small enough that it is over in a fraction of a second. */
export const BATCH_BYTES = 16 * CHUNK_BYTES;
/** Limits the events of a batch, which are held until the rows are in: some 1 KiB each. */
export const BATCH_EVENTS_MAX = 5000;
/** The shortest click takes 52 bytes. */
const CHUNK_CLICKS_MAX = CHUNK_BYTES / 52;

/** How far a segment has got in a batch. */
export interface Step {
  readonly segment: TrackedSegment;
  position: number;
  click_number: number;
  clicks: number;
}

/** Where the clicks of a chunk go. */
interface ChunkTarget {
  /** Rows of the click log. */
  readonly rows: CopyBuffer;
  /** The endpoints that receive the clicks. */
  readonly fanOut: ClickFanOut;
  readonly batch: ClickBatch;
}

/**
 * `shipped`: stored and committed. `fenced`: another shipper has meanwhile stored clicks of one of the segments. Nothing was
 * done, and all segments must be attached again. `nothing`: there was no whole record to read.
 */
export interface ShipOutcome {
  readonly kind: 'shipped' | 'fenced' | 'nothing';
  readonly clicks: number;
  readonly refused: number;
  readonly deliveries: number;
}

/** The clicks per segment that a batch was storing when PostgreSQL refused it. */
export type Attempted = ReadonlyMap<TrackedSegment, number>;

/**
 * Moves clicks from segments into the click log. Each click is stored once, no matter which process dies when. There is one
 * implementation for each store.
 */
export interface ClickShipper {
  readonly memory: RecordMemory;
  readonly attempted: Attempted;
  /** Discards what is remembered about keys and partitions. */
  forget(): void;
  /**
   * Ships a batch of attached segments that have something to read. Throws the database's errors; the next batch determines
   * what was stored by then.
   */
  ship(client: ClientBase, segments: readonly TrackedSegment[]): Promise<ShipOutcome>;
}

/**
 * The clicks of a batch as rows of the click log, and everything that is stored with them. Buffers and caches are reused from
 * batch to batch.
 */
export class BatchRows {
  readonly #clock: Clock;
  readonly #backlogMax: number;
  readonly context: ClickContext;
  readonly memory = new RecordMemory(CHUNK_BYTES);
  readonly #rows: ClickRows;
  readonly #offsets = new Int32Array(CHUNK_CLICKS_MAX);
  readonly #fields = new ClickFields(this.memory);
  readonly #open = new OpenClickRows();
  readonly #devices = new ClickDeviceRows();
  readonly #events = new ClickEvents();
  readonly #id = new Uint8Array(16);
  steps: Step[] = [];
  #refused = 0;
  /** Number of clicks of environments that were erased. */
  #erased = 0;

  /**
   * `backlogMax` limits the deliveries of clicks that may wait for one webhook endpoint; `countries` is null without the
   * operator's file.
   */
  constructor(clock: Clock, backlogMax: number, countries: Pick<CountryDatabase, 'placeOf'> | null) {
    this.#rows = new ClickRows(new TextPreparer(), countries);
    this.#clock = clock;
    this.#backlogMax = backlogMax;
    this.context = new ClickContext(clock);
  }

  get attempted(): Attempted {
    return new Map(this.steps.map((step) => [step.segment, step.clicks]));
  }

  /** Whether the batch has reached the limit of events. */
  get isFull(): boolean {
    return this.#events.count >= BATCH_EVENTS_MAX;
  }

  /** Begins a batch. Returns the endpoints that receive its clicks. */
  async begin(client: ClientBase): Promise<ClickFanOut> {
    this.steps = [];
    this.#events.begin();
    this.#open.begin();
    this.#devices.begin();
    this.#refused = 0;
    this.#erased = 0;
    this.context.refresh();
    const fanOut = new ClickFanOut(await readClickSubscribers(client), this.#backlogMax);
    if (!fanOut.isEmpty) await this.context.makeEventPartitions(client);
    return fanOut;
  }

  /** Ensures that the first chunk of each segment can be turned into rows. Returns the segments that have such a chunk. */
  async makeReady(client: ClientBase, segments: readonly TrackedSegment[]): Promise<readonly TrackedSegment[]> {
    const ready: TrackedSegment[] = [];
    let bytes = 0;
    for (const segment of segments) {
      if (bytes >= BATCH_BYTES) break;
      const scan = await this.read(segment, segment.reader.position, segment.end);
      segment.note(scan);
      if (scan.end === 0) continue;
      if (!this.isReadyFor(scan)) await this.makeReadyFor(client, scan);
      ready.push(segment);
      bytes += scan.end;
    }
    return ready;
  }

  /** Reads the chunk at `from` into memory. */
  read(segment: TrackedSegment, from: number, end: ReadableEnd): Promise<Scan> {
    return segment.reader.read(this.memory, this.#offsetsFor(segment), from, end);
  }

  /** Whether the chunk can be turned into rows without a query to the database. */
  isReadyFor({ clicks }: Scan): boolean {
    return this.context.isReadyFor(this.memory, this.#offsets, clicks);
  }

  async makeReadyFor(client: ClientBase, { clicks }: Scan): Promise<void> {
    await this.context.makeReadyFor(client, this.memory, this.#offsets, clicks);
  }

  beginStep(segment: TrackedSegment): Step {
    const { reader } = segment;
    const step: Step = { segment, position: reader.position, click_number: reader.click_number, clicks: 0 };
    this.steps.push(step);
    return step;
  }

  /** Locks the segments' rows in the log. Returns false if one of them is not at the position where this shipper left it. */
  async fence(client: ClientBase, segments: readonly TrackedSegment[]): Promise<boolean> {
    const ids = segments.map(({ reader }) => reader.id);
    const locked = new Map((await lockClickSegments(client, ids)).map((row) => [row.segment_id, row]));
    return segments.every(({ reader }) => {
      const row = locked.get(reader.id);
      return row?.shipped_clicks === reader.click_number && Math.max(row.shipped_bytes, HEADER_BYTES) === reader.position;
    });
  }

  /** Turns the chunk that was read into rows. */
  writeChunk(step: Step, clicks: number, { rows, fanOut, batch }: ChunkTarget): void {
    const { reader } = step.segment;
    const fields = this.#fields;
    const target = this.#rowTarget(rows, batch);
    const deviceKeys = new MatchKeys(this.context.keys);
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
      const environment = this.context.environment(fields.environment_number);
      invariant(environment !== undefined, 'the environments of a chunk are fetched before its rows are made');
      if (environment.erased) {
        this.#erased++;
        continue;
      }
      if (device) {
        this.#devices.add(fields, this.#rows.userAgent(fields), deviceKeys);
        continue;
      }
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

  /** In the transaction, after the rows of the log: stores what belongs with them, and how far each segment is stored. */
  async storeRest(client: ClientBase, fanOut: ClickFanOut, batch: Pick<ClickBatch, 'store'>): Promise<readonly BacklogGrowth[]> {
    await this.#copyOpenClicks(client);
    await this.#devices.insert(client);
    const queued = await this.#events.insert(client, fanOut.receivers());
    await batch.store(client);
    await advanceClickSegments(
      client,
      this.steps.map((step) => ({ segment_id: step.segment.reader.id, shipped_bytes: step.position, shipped_clicks: step.click_number })),
    );
    const growth = fanOut.growth(queued);
    if (growth.length > 0) await growBacklogs(client, growth);
    return growth;
  }

  committed(): void {
    for (const { segment, position, click_number } of this.steps) {
      segment.reader.advance(position, click_number);
      segment.refuse_next = false;
      segment.endBisection();
    }
  }

  outcome(kind: ShipOutcome['kind'], growth: readonly BacklogGrowth[] = []): ShipOutcome {
    const clicks = this.steps.reduce((sum, step) => sum + step.clicks, 0) - this.#refused - this.#erased - this.#devices.count;
    return { kind, clicks, refused: this.#refused, deliveries: growth.reduce((sum, { queued }) => sum + queued, 0) };
  }

  async #copyOpenClicks(client: ClientBase): Promise<void> {
    if (this.#open.count === 0) return;
    const failure = await new CopyIn(client, OPEN_CLICKS_COPY).end(this.#open.end());
    if (failure !== null) throw failure;
  }

  /** Where the rows of one chunk go. */
  #rowTarget(rows: CopyBuffer, batch: ClickBatch): RowTarget {
    const { keys } = this.context;
    return { rows, hashes: new VisitorHashes(keys), open: this.#open, matchKeys: new MatchKeys(keys), batchField: batch.field };
  }

  #offsetsFor(segment: TrackedSegment): Int32Array {
    if (segment.refuse_next) return this.#offsets.subarray(0, 1);
    return segment.clicks_max < this.#offsets.length ? this.#offsets.subarray(0, segment.clicks_max) : this.#offsets;
  }
}
