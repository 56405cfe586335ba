import type { Clock } from '../../shared/base/clock.js';
import { openWindow } from '../mapped/mapped-file.js';
import { AppendedSegment, MappedSegment, Mapping, type OpenSegment } from './open-segment.js';
import { MODE_APPENDED, MODE_MAPPED } from './segment.js';
import { createSegment, discardFile, type Refusal } from './segment-folder.js';
import type { SpoolKeys } from './spool-keys.js';

export interface SupplySettings {
  readonly dir: string;
  readonly bytes_max: number;
  readonly segment_bytes: number;
  readonly mapped: boolean;
  readonly keys: SpoolKeys;
  readonly clock: Clock;
}

/**
 * Creates the segments of one process: two windows used in turn if memory mapping is available, plain files otherwise. A spare
 * is made in advance, so that replacing a full segment costs only an exchange of two pointers. The full segment is released
 * later.
 */
export class SegmentSupply {
  readonly #settings: SupplySettings;
  /** Windows without a segment; empty in appended mode. */
  readonly #mappings: Mapping[] = [];
  /** Why clicks are not written through mapped memory; empty if they are. */
  readonly fallback_reason: string;
  #spare: OpenSegment | null = null;
  #retired: OpenSegment | null = null;

  constructor(settings: SupplySettings) {
    this.#settings = settings;
    this.fallback_reason = settings.mapped ? this.#openWindows() : 'SPOOL_MAPPED is false';
  }

  get mapped(): boolean {
    return this.fallback_reason === '';
  }

  /** Returns a fresh segment: the spare, or one made now. */
  take(): OpenSegment | Refusal {
    const spare = this.#spare;
    if (spare === null) return this.#make();
    this.#spare = null;
    return spare;
  }

  /** Makes the spare if there is none and there is room for it. Returns whether there is one. */
  prepare(): boolean {
    if (this.#spare !== null) return true;
    const made = this.#make();
    // If it was refused, `take` tries again when a segment is needed, and returns the reason.
    if (!('refused' in made)) this.#spare = made;
    return this.#spare !== null;
  }

  /** Seals a segment that is full. The slow part of releasing it is left to `tidy`. */
  retire(segment: OpenSegment): void {
    segment.seal();
    this.tidy();
    this.#retired = segment;
  }

  /** Releases the retired segment. */
  tidy(): void {
    const retired = this.#retired;
    if (retired === null) return;
    this.#retired = null;
    retired.release();
    if (retired instanceof MappedSegment) this.#mappings.push(retired.mapping);
  }

  stop(): void {
    this.tidy();
    this.#spare?.release();
    this.#spare = null;
  }

  #openWindows(): string {
    for (let count = 0; count < 2; count++) {
      const opened = openWindow(this.#settings.segment_bytes);
      if ('error' in opened) return opened.error;
      this.#mappings.push(new Mapping(opened.window));
    }
    return '';
  }

  #make(): OpenSegment | Refusal {
    // Both windows are in use if a segment fills up before the previous one was released.
    if (this.mapped && this.#mappings.length === 0) this.tidy();
    const mapping = this.mapped ? this.#mappings.pop() : undefined;
    if (this.mapped && mapping === undefined) return { refused: 'disk', error: 'ENOMEM' };
    const { dir, bytes_max, segment_bytes, keys, clock } = this.#settings;
    const mode = this.mapped ? MODE_MAPPED : MODE_APPENDED;
    const file = createSegment({ dir, mode, file_bytes: segment_bytes, bytes_max, keys, now_ms: clock() });
    if ('refused' in file) {
      if (mapping !== undefined) this.#mappings.push(mapping);
      return file;
    }
    if (mapping === undefined) return new AppendedSegment(file, keys);
    const error = mapping.window.attach(file.fd, true);
    if (error === null) return new MappedSegment(mapping, file, keys);
    discardFile(file.fd, file.path);
    this.#mappings.push(mapping);
    return { refused: 'disk', error };
  }
}
