import { type MappedWindow, openWindow } from '../mapped/mapped-file.js';
import { IndexMemory } from './record.js';

/** A window with its views. */
export interface IndexMapping {
  readonly window: MappedWindow;
  readonly memory: IndexMemory;
}

/**
 * The windows of a process on files of the link index. A window's addresses are never given back, so each is used for one
 * file after the other; file sizes are rounded (`shapeFor`), so that there are a few windows however many files there were.
 */
export class IndexMappings {
  readonly #idle: IndexMapping[] = [];

  /** An empty mapping of exactly so many bytes. */
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
