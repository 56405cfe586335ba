import type { Clock } from '../../shared/base/clock.js';
import { invariant } from '../../shared/base/invariant.js';
import { type ClickIdKeys, newClickId } from '../../shared/secrets/click-id-keys.js';
import type { Click, ClickSink } from './click.js';
import { DropCounters } from './drop-counters.js';
import type { OpenSegment } from './open-segment.js';
import { GROUP_BYTES_MAX } from './record-layout.js';
import { SEGMENT_BYTES_DEFAULT, SEGMENT_BYTES_MIN } from './segment.js';
import type { Refusal } from './segment-folder.js';
import { SegmentSupply } from './segment-supply.js';
import type { SpoolKeys } from './spool-keys.js';

export interface ClickSpoolSettings {
  /** Folder shared by all redirect processes and `background` of the host; created if it does not exist. */
  readonly dir: string;
  /** Limit of the whole folder, in bytes. */
  readonly bytesMax: number;
  /** False: one write per click instead of mapped memory. */
  readonly mapped: boolean;
  readonly keys: SpoolKeys;
  readonly clock: Clock;
  /** Size of a segment in bytes; `segmentBytesFor` returns a suitable one. */
  readonly segmentBytes?: number;
  /** Age at which a segment is sealed and the next one begun, in milliseconds. */
  readonly segmentMsMax?: number;
  /** Called with the reason when clicks begin to be dropped, and with an empty text when they are stored again. */
  readonly onDropping?: (reason: string) => void;
}

export interface ClickSpoolStats {
  readonly mode: 'mapped' | 'appended';
  /** Why the mode is `appended`; empty for `mapped`. */
  readonly fallback_reason: string;
  readonly clicks_stored: number;
  /** The clicks dropped by this process and by the ended ones whose counts it continues. */
  readonly clicks_dropped_bound: number;
  readonly clicks_dropped_disk: number;
  readonly segments_begun: number;
  /** Why clicks are being dropped now; empty if they are stored. */
  readonly dropping_reason: string;
}

export interface ClickSpool extends ClickSink {
  /** Seals the segment. Whatever is appended afterwards is dropped and counted. */
  stop(): void;
  stats(): ClickSpoolStats;
}

/** The default of SPOOL_SEGMENT_SECONDS. */
const SEGMENT_MS_MAX = 60_000;

/** How often a process that drops clicks checks whether there is room again. */
const RETRY_MS = 100;

/**
 * Segment size for a host with this number of writing processes. Each process may have two segments, and there must be room for
 * full ones too, so segments that are being filled take at most a quarter of the limit.
 */
export function segmentBytesFor(bytesMax: number, processes: number): number {
  const share = Math.floor(bytesMax / (8 * processes) / 65536) * 65536;
  return Math.max(SEGMENT_BYTES_MIN, Math.min(SEGMENT_BYTES_DEFAULT, share));
}

/** Opens the spool of this process. Never throws for a full or broken disk: clicks are then dropped and counted until it recovers. */
export function openClickSpool(settings: ClickSpoolSettings): ClickSpool {
  return new SegmentedSpool(settings);
}

/**
 * Writes clicks into the current segment. It has two states: with a segment, clicks are stored; without one, because the folder
 * is full or the system refuses, they are dropped and counted while a timer tries to get a new segment. The segment always has
 * room for one more click of any size, so the id of the next click is known in advance.
 */
class SegmentedSpool implements ClickSpool {
  readonly #clickIds: ClickIdKeys;
  readonly #segmentMsMax: number;
  readonly #supply: SegmentSupply;
  readonly #counters: DropCounters;
  readonly #onDropping: (reason: string) => void;
  #segment: OpenSegment | null = null;
  /** Offset from which an append has more to do than storing: make the spare, or replace the full segment. */
  #attention = 0;
  /** Why `#segment` is null. */
  #refusal: Refusal = { refused: 'disk', error: 'not begun' };
  #retry: NodeJS.Timeout | null = null;
  #ageing: NodeJS.Timeout | null = null;
  #stopped = false;
  #stored = 0;
  #begun = 0;

  constructor(settings: ClickSpoolSettings) {
    const segmentBytes = settings.segmentBytes ?? SEGMENT_BYTES_DEFAULT;
    invariant(segmentBytes >= SEGMENT_BYTES_MIN && segmentBytes <= 2 ** 30, 'a segment has 512 KiB to 1 GiB');
    this.#clickIds = settings.keys.clickIds;
    this.#segmentMsMax = settings.segmentMsMax ?? SEGMENT_MS_MAX;
    this.#onDropping = settings.onDropping ?? (() => {});
    this.#supply = new SegmentSupply({
      dir: settings.dir,
      bytes_max: settings.bytesMax,
      segment_bytes: segmentBytes,
      mapped: settings.mapped,
      keys: settings.keys,
      clock: settings.clock,
    });
    this.#counters = new DropCounters(settings.dir, this.#supply.mapped);
    this.#begin();
  }

  append(click: Click): boolean {
    const segment = this.#segment;
    if (segment === null) {
      this.#counters.count(this.#refusal.refused);
      return false;
    }
    const error = segment.append(click);
    if (error !== null) {
      this.#counters.count('disk');
      return false;
    }
    this.#stored++;
    if (segment.at >= this.#attention) this.#attend(segment);
    return true;
  }

  nextId(occurredAtMs: number): string {
    const segment = this.#segment;
    // The click will be dropped. The visitor's destination still gets a valid id, but no row will have it.
    return segment === null ? newClickId(this.#clickIds, occurredAtMs) : segment.ids.text(segment.clicks, occurredAtMs);
  }

  stop(): void {
    if (this.#stopped) return;
    this.#stopped = true;
    if (this.#retry !== null) clearInterval(this.#retry);
    if (this.#ageing !== null) clearTimeout(this.#ageing);
    if (this.#segment !== null) this.#supply.retire(this.#segment);
    this.#segment = null;
    this.#refusal = { refused: 'disk', error: 'stopped' };
    this.#supply.stop();
  }

  stats(): ClickSpoolStats {
    const dropped = this.#counters.read();
    return {
      mode: this.#supply.mapped ? 'mapped' : 'appended',
      fallback_reason: this.#supply.fallback_reason,
      clicks_stored: this.#stored,
      clicks_dropped_bound: dropped.bound,
      clicks_dropped_disk: dropped.disk,
      segments_begun: this.#begun,
      dropping_reason: this.#segment === null ? this.#refusal.error : '',
    };
  }

  #begin(): void {
    const taken = this.#supply.take();
    if ('refused' in taken) {
      this.#segment = null;
      this.#refusal = taken;
      if (this.#retry !== null) return;
      this.#retry = setInterval(() => this.#tryAgain(), RETRY_MS).unref();
      this.#onDropping(taken.error);
      return;
    }
    this.#segment = taken;
    this.#begun++;
    this.#attention = halfOf(taken);
    this.#age(taken);
  }

  /**
   * Seals an old segment even if it is not full, so that clicks on a quiet host are stored and removed from disk in time. While there is no
   * room for the next one, this one stays open, because it still has room for clicks.
   */
  #age(segment: OpenSegment): void {
    if (this.#ageing !== null) clearTimeout(this.#ageing);
    this.#ageing = setTimeout(() => {
      if (segment.clicks > 0 && this.#supply.prepare()) this.#follow(segment);
      else this.#age(segment);
    }, this.#segmentMsMax).unref();
  }

  /** Seals the segment and begins the next one. */
  #follow(segment: OpenSegment): void {
    this.#supply.retire(segment);
    this.#begin();
    setImmediate(() => this.#supply.tidy());
  }

  /** Runs on a timer, never while a click is handled. */
  #tryAgain(): void {
    this.#counters.ensureStored();
    this.#begin();
    if (this.#segment === null || this.#retry === null) return;
    clearInterval(this.#retry);
    this.#retry = null;
    this.#onDropping('');
  }

  #attend(segment: OpenSegment): void {
    if (segment.at + GROUP_BYTES_MAX > segment.file_bytes) {
      this.#follow(segment);
      return;
    }
    this.#attention = segment.file_bytes - GROUP_BYTES_MAX + 1;
    setImmediate(() => {
      if (!this.#stopped) this.#supply.prepare();
    });
  }
}

/** Half full: as many clicks as were stored so far still fit before the spare is needed. */
function halfOf(segment: OpenSegment): number {
  return segment.file_bytes >> 1;
}
