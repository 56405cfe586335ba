import { statSync } from 'node:fs';
import { join } from 'node:path';
import { attempt } from '../../mapped/mapped-file.js';
import { isForeignSegment, isReadableSegment, listFolder, MAKING_SUFFIX, removeFile } from '../../spool/segment-folder.js';
import { KeptSegments, type KeptSegmentsSettings } from './kept-segments.js';
import { Quarantine } from './quarantine.js';
import type { SegmentReadError } from './segment-read-error.js';
import { SegmentReader } from './segment-reader.js';
import { TrackedSegment } from './tracked-segment.js';
import { UnreadableSegments } from './unreadable-segments.js';

/** Limits the open files of a backlog; the oldest segments come first. Far above the number of segments being written: two per process. */
const TRACKED_MAX = 512;
/** Making a segment takes milliseconds. A file that has been in the making for this long was left by a process that died. */
const MAKING_KEPT_MS = 60_000;

/** The segments of a folder: finds them, follows them while they grow, and releases them when they are done. */
export class SegmentWatch {
  readonly #settings: KeptSegmentsSettings;
  readonly #tracked = new Map<string, TrackedSegment>();
  readonly #unreadable: UnreadableSegments;
  readonly #quarantine: Quarantine;
  readonly kept: KeptSegments;
  /** Number of segments in the format of another release, which ships them when it runs here again. */
  #foreign = 0;

  constructor(settings: KeptSegmentsSettings) {
    this.#settings = settings;
    this.kept = new KeptSegments(settings);
    this.#unreadable = new UnreadableSegments(settings.clock);
    this.#quarantine = new Quarantine(settings);
  }

  /** Oldest first, without those whose files cannot be read at the moment. */
  get segments(): readonly TrackedSegment[] {
    return [...this.#tracked.values()].filter(({ name }) => !this.#unreadable.isWaiting(name));
  }

  get unreadable(): Pick<UnreadableSegments, 'count' | 'reason'> {
    return this.#unreadable;
  }

  /** How many segments were quarantined since this process started. */
  get quarantined(): number {
    return this.#quarantine.moved;
  }

  /** Why clicks wait that this process cannot ship at the moment; '' if there are none. */
  get trouble(): string {
    if (this.#unreadable.count > 0) return this.#unreadable.reason;
    if (this.#foreign > 0) return `segments in the format of another release wait until that release runs: ${this.#foreign}`;
    return this.#quarantine.trouble;
  }

  /** Scans the folder: opens new segments, and reads how far each segment goes. */
  async look(): Promise<void> {
    this.#quarantine.retry();
    const names = listFolder(this.#settings.dir).toSorted();
    this.#foreign = names.filter(isForeignSegment).length;
    for (const name of names) {
      if (name.endsWith(MAKING_SUFFIX)) this.#removeLeftover(name);
      else if (isReadableSegment(name) && this.#mayOpen(name)) await this.#open(name);
    }
    await this.kept.look({ isWaiting: (name) => this.#unreadable.isWaiting(name), leaveOut: (error) => this.leaveOut(error) });
    for (const segment of this.segments) {
      await segment.refreshEnd();
      // While PostgreSQL is away, processes that die repeatedly must not fill the folder with space they never used.
      await segment.cutIfAbandoned(this.#settings.clock);
    }
  }

  #mayOpen(name: string): boolean {
    if (this.#tracked.has(name) || this.#tracked.size >= TRACKED_MAX) return false;
    return !this.#unreadable.isWaiting(name) && !this.#quarantine.holds(name) && !this.kept.holds(name);
  }

  /** Leaves the segment out of the next rounds. */
  leaveOut(error: SegmentReadError): void {
    this.#unreadable.note(error);
    this.#settings.log.error(
      { code: 'segment_unreadable', err: error, segment: error.segment },
      'a click segment cannot be read; it is skipped and tried again later',
    );
  }

  /** Must be called after a successful round. */
  forgetReadable(): void {
    if (this.#unreadable.count > 0) this.#unreadable.forgetReadable(new Set(listFolder(this.#settings.dir)));
  }

  /** Discards what is known about the segments' places in the click log. */
  detachAll(): void {
    for (const segment of this.#tracked.values()) segment.attached = false;
  }

  /**
   * Releases a segment that is stored, or in which there is nothing to store. Its file is kept for a while. A segment with
   * refused clicks is set aside instead.
   */
  async finish(segment: TrackedSegment): Promise<void> {
    await this.#release(segment);
    if (segment.refused_clicks > 0) this.#quarantine.add(segment.name, `${segment.refused_clicks} clicks were refused`);
    else this.kept.keep(segment.name, segment.reader);
  }

  /** Sets aside a segment whose rest cannot be read. */
  async setAside(segment: TrackedSegment, why: string): Promise<void> {
    await this.#release(segment);
    this.#quarantine.add(segment.name, why);
  }

  async stop(): Promise<void> {
    for (const segment of this.#tracked.values()) await this.#release(segment);
  }

  async #open(name: string): Promise<void> {
    const outcome = await SegmentReader.open(join(this.#settings.dir, name), this.#settings.keys);
    if ('reader' in outcome) {
      // Such a segment belongs to the other engine of a takeover. That engine has the key to the addresses, and ships the segment itself.
      if (outcome.reader.hasSealedAddresses && !outcome.reader.writerIsGone()) await outcome.reader.close();
      else this.#tracked.set(name, new TrackedSegment(name, outcome.reader));
    } else if ('fault' in outcome) this.#quarantine.add(name, outcome.fault);
  }

  async #release(segment: TrackedSegment): Promise<void> {
    this.#tracked.delete(segment.name);
    await segment.reader.close();
  }

  #removeLeftover(name: string): void {
    const path = join(this.#settings.dir, name);
    const status = attempt(() => statSync(path));
    if ('value' in status && this.#settings.clock() - status.value.mtimeMs > MAKING_KEPT_MS) removeFile(path);
  }
}
