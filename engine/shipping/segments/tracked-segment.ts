import type { Clock } from '../../../shared/base/clock.js';
import { HEADER_BYTES } from '../../spool/segment.js';
import type { Scan } from '../rows/segment-scan.js';
import type { ReadableEnd, SegmentReader } from './segment-reader.js';

/** How often to check whether a writer is still alive. */
const WRITER_CHECK_MS = 1000;
/** Number of rounds in which a record that was promised cannot be read before it counts as damaged. */
const DAMAGE_ROUNDS = 3;

/** A segment in the folder, with the flusher's state for it. */
export class TrackedSegment {
  readonly name: string;
  readonly reader: SegmentReader;
  /** Whether its place in the click log was read. Before that, `reader.position` has no meaning. */
  attached = false;
  end: ReadableEnd = { offset: 0, promised: false, sealed: false };
  /** Limit on the clicks shipped at once. It is lowered while the flusher searches for one that PostgreSQL refuses. */
  clicks_max = Number.POSITIVE_INFINITY;
  /** Whether the next click was found to be one that PostgreSQL refuses. It is skipped. */
  refuse_next = false;
  refused_clicks = 0;
  #invalidRounds = 0;
  #missedIntents = 0;
  /** Whether there is no whole record at `position`, and none was promised: the end of an appended segment, or a torn tail. */
  #tail = false;
  #cut = false;
  #writerGone = false;
  #writerCheckedMs = 0;

  constructor(name: string, reader: SegmentReader) {
    this.name = name;
    this.reader = reader;
  }

  /** Whether nothing can be read beyond `position` although it was promised. */
  get damaged(): boolean {
    return this.#invalidRounds >= DAMAGE_ROUNDS;
  }

  /** Whether the writer will never write here again. */
  isClosed(clock: Clock): boolean {
    if (this.end.sealed || this.#writerGone) return true;
    const now = clock();
    // A clock that was set back must not put this off until it has caught up.
    if (now >= this.#writerCheckedMs && now - this.#writerCheckedMs < WRITER_CHECK_MS) return false;
    this.#writerCheckedMs = now;
    this.#writerGone = this.reader.writerIsGone();
    return this.#writerGone;
  }

  /** Starts again because the database has lost what it had stored. Attaching determines from where. */
  rewind(): void {
    this.attached = false;
    this.reader.advance(HEADER_BYTES, 0);
  }

  /** Records what a scan at `position` found. */
  note(scan: Scan): void {
    const stuck = scan.clicks === 0 && scan.end === 0 && (scan.stop === 'invalid' || scan.stop === 'cut');
    if (!stuck) this.#invalidRounds = 0;
    else if (this.end.promised) this.#invalidRounds++;
    else this.#tail = true;
  }

  /** Whether the records that an intent names could not be read in so many rounds that they count as damaged. */
  get has_lost_intent(): boolean {
    return this.#missedIntents >= DAMAGE_ROUNDS;
  }

  /**
   * Records that not everything that an intent names could be read, though it was complete once. Returns whether the intent may
   * end at the damage: if reading has failed often enough and no process writes the segment any more. The segment is then set
   * aside.
   */
  missIntent(clock: Clock): boolean {
    this.#missedIntents++;
    return this.has_lost_intent && this.isClosed(clock);
  }

  /** Marks the segment as damaged, whatever its position. */
  giveUp(): void {
    this.#invalidRounds = DAMAGE_ROUNDS;
  }

  /** Records that everything an intent names was read. */
  foundIntent(): void {
    this.#missedIntents = 0;
  }

  get at_tail(): boolean {
    return this.#tail;
  }

  async refreshEnd(): Promise<void> {
    this.end = await this.reader.readableEnd();
    this.#tail = false;
  }

  /** Returns the disk space that a writer had allocated if it ended without sealing. */
  async cutIfAbandoned(clock: Clock): Promise<void> {
    if (this.#cut || this.end.sealed || !this.isClosed(clock)) return;
    await this.refreshEnd();
    if (this.end.promised) this.reader.cut(this.end.offset);
    this.#cut = true;
  }

  /** PostgreSQL refused a batch with this many clicks of the segment. The next batch has half as many; a single click is the culprit. */
  bisect(clicks: number): void {
    if (clicks <= 1) this.refuse_next = true;
    else this.clicks_max = Math.floor(clicks / 2);
  }

  /** A batch was stored. */
  endBisection(): void {
    this.clicks_max = this.clicks_max >= 65_536 ? Number.POSITIVE_INFINITY : this.clicks_max * 2;
  }
}
