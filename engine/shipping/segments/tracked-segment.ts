import type { Clock } from '../../../shared/base/clock.js';
import { HEADER_BYTES } from '../../spool/segment.js';
import type { Scan } from '../rows/segment-scan.js';
import type { ReadableEnd, SegmentReader } from './segment-reader.js';

/** How often it is asked whether a writer still lives. */
const WRITER_CHECK_MS = 1000;
/** A record that was promised and cannot be read is read again in so many rounds before it counts as damaged. */
const DAMAGE_ROUNDS = 3;

/** A segment in the folder, with what the flusher knows of it. */
export class TrackedSegment {
  readonly name: string;
  readonly reader: SegmentReader;
  /** Its place in the click log was read; before that `reader.position` means nothing. */
  attached = false;
  end: ReadableEnd = { offset: 0, promised: false, sealed: false };
  /** Clicks that may be shipped at once: fewer while one is searched for that PostgreSQL refuses. */
  clicks_max = Number.POSITIVE_INFINITY;
  /** The next click was found to be one that PostgreSQL refuses: it is passed over. */
  refuse_next = false;
  refused_clicks = 0;
  #invalidRounds = 0;
  #missedIntents = 0;
  /** There is no whole record at `position`, and none was promised: this is the end of an appended segment, or a torn tail. */
  #tail = false;
  #cut = false;
  #writerGone = false;
  #writerCheckedMs = 0;

  constructor(name: string, reader: SegmentReader) {
    this.name = name;
    this.reader = reader;
  }

  /** Nothing can be read beyond `position` though it was promised. */
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

  /** The database has not kept what it had stored: from where on, `attached` will tell. */
  rewind(): void {
    this.attached = false;
    this.reader.advance(HEADER_BYTES, 0);
  }

  /** Notes what a scan at `position` found. */
  note(scan: Scan): void {
    const stuck = scan.clicks === 0 && scan.end === 0 && (scan.stop === 'invalid' || scan.stop === 'cut');
    if (!stuck) this.#invalidRounds = 0;
    else if (this.end.promised) this.#invalidRounds++;
    else this.#tail = true;
  }

  /** What an intent names could not be read in so many rounds that it counts as damaged. */
  get has_lost_intent(): boolean {
    return this.#missedIntents >= DAMAGE_ROUNDS;
  }

  /**
   * Notes that not all that an intent names could be read, though it was whole once. Returns whether the intent may end at the damage:
   * when it was read often enough, and nobody writes the segment any more, which is then set aside.
   */
  missIntent(clock: Clock): boolean {
    this.#missedIntents++;
    return this.has_lost_intent && this.isClosed(clock);
  }

  /** The segment counts as damaged, wherever it stands. */
  giveUp(): void {
    this.#invalidRounds = DAMAGE_ROUNDS;
  }

  /** All that an intent names was read. */
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

  /** Gives back the disk that a writer which ended without sealing had set aside. */
  async cutIfAbandoned(clock: Clock): Promise<void> {
    if (this.#cut || this.end.sealed || !this.isClosed(clock)) return;
    await this.refreshEnd();
    if (this.end.promised) this.reader.cut(this.end.offset);
    this.#cut = true;
  }

  /** PostgreSQL refused a batch with so many clicks of this segment: the next one has half as many, and one alone is the culprit. */
  bisect(clicks: number): void {
    if (clicks <= 1) this.refuse_next = true;
    else this.clicks_max = Math.floor(clicks / 2);
  }

  /** A batch went through. */
  endBisection(): void {
    this.clicks_max = this.clicks_max >= 65_536 ? Number.POSITIVE_INFINITY : this.clicks_max * 2;
  }
}
