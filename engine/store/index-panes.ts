import { IndexMemory } from './link-index-record.js';
import { type MappedWindow, openWindow } from './mapped-file.js';

/** A window with its views. */
export interface IndexPane {
  readonly window: MappedWindow;
  readonly memory: IndexMemory;
}

/**
 * The windows of a process on files of the link index. A window's addresses are never given back, so each is used for one
 * file after the other; file sizes are rounded (`shapeFor`), so that there are a few windows however many files there were.
 */
export class IndexPanes {
  readonly #idle: IndexPane[] = [];

  /** An empty pane of exactly so many bytes. */
  take(bytes: number): IndexPane | { readonly error: string } {
    const at = this.#idle.findIndex(({ window }) => window.bytes.length === bytes);
    if (at !== -1) return this.#idle.splice(at, 1)[0] as IndexPane;
    const opened = openWindow(bytes);
    return 'error' in opened ? opened : { window: opened.window, memory: new IndexMemory(opened.window.bytes) };
  }

  /** Empties the pane and keeps it for another file. */
  give(pane: IndexPane): void {
    pane.window.detach();
    this.#idle.push(pane);
  }
}
