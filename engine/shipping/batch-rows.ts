import type { ClientBase } from 'pg';
import type { Clock } from '../../shared/base/clock.js';
import { invariant } from '../../shared/base/invariant.js';
import type { CountryDatabase } from '../countries/country-database.js';
import { DEVICE_KIND } from '../spool/click.js';
import { HEADER_BYTES } from '../spool/segment.js';
import type { BacklogGrowth } from '../webhooks/backlog-sql.js';
import { growBacklogs } from '../webhooks/backlog-sql.js';
import { BatchProgress, type Step } from './batch-progress.js';
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

/** Where the clicks of a chunk go. */
interface ChunkTarget {
  /** Rows of the click log. */
  readonly rows: CopyBuffer;
  readonly batch: ClickBatch;
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

  /** Whether the batch has reached the limit of events. */
  get isFull(): boolean {
    return this.#events.count >= BATCH_EVENTS_MAX;
  }

  /** Begins a batch. */
  async begin(client: ClientBase): Promise<BatchProgress> {
    this.#events.begin();
    this.#open.begin();
    this.#devices.begin();
    this.context.refresh();
    const progress = new BatchProgress(new ClickFanOut(this.#backlogMax));
    await this.#readSubscribers(client, progress);
    return progress;
  }

  /**
   * Reads the subscribers of the environments that are remembered and not known to the batch yet: those that had clicks lately. An
   * installation may have many thousands of subscribers, and ten batches are shipped a second.
   */
  async #readSubscribers(client: ClientBase, { fanOut }: BatchProgress): Promise<void> {
    const unknown = this.context.environmentNumbers.filter((number) => !fanOut.knows(number));
    if (unknown.length === 0) return;
    fanOut.add(unknown, await readClickSubscribers(client, unknown));
    if (fanOut.hasRoom) await this.context.makeEventPartitions(client);
  }

  /** Ensures that the first chunk of each segment can be turned into rows. Returns the segments that have such a chunk. */
  async makeReady(client: ClientBase, progress: BatchProgress, segments: readonly TrackedSegment[]): Promise<readonly TrackedSegment[]> {
    const ready: TrackedSegment[] = [];
    let bytes = 0;
    for (const segment of segments) {
      if (bytes >= BATCH_BYTES) break;
      const scan = await this.read(segment, segment.reader.position, segment.end);
      segment.note(scan);
      if (scan.end === 0) continue;
      if (!this.isReadyFor(scan)) await this.makeReadyFor(client, progress, scan);
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

  /** Fetches and creates what the chunk lacks. Must run outside any transaction. */
  async makeReadyFor(client: ClientBase, progress: BatchProgress, { clicks }: Scan): Promise<void> {
    await this.context.makeReadyFor(client, this.memory, this.#offsets, clicks);
    await this.#readSubscribers(client, progress);
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
  writeChunk(progress: BatchProgress, step: Step, clicks: number, { rows, batch }: ChunkTarget): void {
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
        progress.noteRefused(step);
        continue;
      }
      const environment = this.context.environment(fields.environment_number);
      invariant(environment !== undefined, 'the environments of a chunk are fetched before its rows are made');
      if (environment.erased) continue;
      if (device) {
        this.#devices.add(fields, this.#rows.userAgent(fields), deviceKeys);
        continue;
      }
      reader.ids.writeBytes(this.#id, 0, number, fields.occurred_at_ms);
      this.#rows.write(fields, this.#id, environment.days.day(fields.occurred_at_ms), target);
      progress.noteStored();
      batch.note(fields.environment_number, fields.occurred_at_ms, this.#rows.userAgent(fields));
      const eventNumber = progress.fanOut.count(fields.environment_number);
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
  async storeRest(
    client: ClientBase,
    { steps, fanOut }: BatchProgress,
    batch: Pick<ClickBatch, 'store'>,
  ): Promise<readonly BacklogGrowth[]> {
    await this.#copyOpenClicks(client);
    await this.#devices.insert(client);
    const queued = await this.#events.insert(client, fanOut.receivers());
    await batch.store(client);
    await advanceClickSegments(
      client,
      steps.map((step) => ({ segment_id: step.segment.reader.id, shipped_bytes: step.position, shipped_clicks: step.click_number })),
    );
    const growth = fanOut.growth(queued);
    if (growth.length > 0) await growBacklogs(client, growth);
    return growth;
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
