import { type MappedWindow, openWindow } from '../mapped/mapped-file.js';
import { IndexMemory } from './record.js';

/** A window with typed views of its memory. */
export interface IndexMapping {
  readonly window: MappedWindow;
  readonly memory: IndexMemory;
}

/**
 * The windows of a process onto files of the link index. The addresses of a window are never released, so each is used for one
 * file after the other. File sizes are rounded (`shapeFor`), so there are only a few windows, no matter how many files there
 * were.
 */
export class IndexMappings {
  readonly #idle: IndexMapping[] = [];

  /** Returns an empty mapping of exactly this many bytes. */
  take(bytes: number): IndexMapping | { readonly error: string } {
    const at = this.#idle.findIndex(({ window }) => window.bytes.length === bytes);
    if (at !== -1) return this.#idle.splice(at, 1)[0] as IndexMapping;
    const opened = openWindow(bytes);
    return 'error' in opened ? opened : { window: opened.window, memory: new IndexMemory(opened.window.bytes) };
  }

  /** Empties the mapping and keeps it for another file. */
  give(mapping: IndexMapping): void {
    mapping.window.detach();
    this.#idle.push(mapping);
  }
}
