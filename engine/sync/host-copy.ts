import type { Clock } from '../../shared/base/clock.js';
import type { Logger } from '../../shared/base/log.js';
import { createLinkIndexKeeper, type LinkIndexKeeper, type LinkIndexStats } from '../link-index/keeper.js';
import { type ConfigWriter, openConfigWriter } from '../store/config-writer.js';
import { createScrub, type Scrub } from '../store/scrub.js';

export interface HostCopyOptions {
  readonly dataDir: string;
  readonly log: Logger;
  readonly clock: Clock;
  /** Called when the scrub has found damage. */
  readonly onDamage: () => void;
}

interface OpenCopy {
  readonly writer: ConfigWriter;
  readonly scrub: Scrub;
  readonly linkIndex: LinkIndexKeeper;
}

/** Readers read `CURRENT` every few milliseconds. A generation that `CURRENT` no longer names is kept this long. */
const OLD_GENERATION_KEPT_MS = 5000;

/** The host's store, opened for writing when it is first needed, with what belongs to it: its scrub and the link index. */
export class HostCopy {
  readonly #options: HostCopyOptions;
  #open: OpenCopy | null = null;
  /** When the last new generation was published, by `performance.now()`; null after the old one is removed. */
  #swappedAt: number | null = null;

  constructor(options: HostCopyOptions) {
    this.#options = options;
  }

  /** Null until `open`. */
  get writer(): ConfigWriter | null {
    return this.#open?.writer ?? null;
  }

  /**
   * Must be called before anything in this process reads the copy: a process that has opened a generation to read cannot become its
   * writer.
   */
  openFirst(): void {
    try {
      this.open();
    } catch {
      // The first round opens it again, and reports what is wrong.
    }
  }

  open(): ConfigWriter {
    if (this.#open === null) {
      const { dataDir, log, clock, onDamage } = this.#options;
      const writer = openConfigWriter(dataDir, log, clock);
      this.#open = { writer, scrub: createScrub(writer, onDamage, log), linkIndex: createLinkIndexKeeper({ store: writer, log }) };
      this.#open.scrub.start();
      this.#open.linkIndex.start();
    }
    return this.#open.writer;
  }

  /** Called when a new generation is in place. Readers have not noticed it yet. */
  swapped(): void {
    this.#swappedAt = performance.now();
  }

  /**
   * Called regularly while the copy is followed. Removes what a bootstrap has left unfinished, and the old generation after
   * readers have left it.
   */
  removeOld(): void {
    this.#open?.writer.dropUnfinished();
    if (this.#swappedAt === null || performance.now() - this.#swappedAt < OLD_GENERATION_KEPT_MS) return;
    this.#open?.writer.removeOldGenerations();
    this.#swappedAt = null;
  }

  linkIndexStats(): LinkIndexStats | null {
    return this.#open?.linkIndex.stats() ?? null;
  }

  async close(): Promise<void> {
    const open = this.#open;
    open?.scrub.stop();
    open?.linkIndex.stop();
    await open?.writer.close();
    this.#open = null;
  }
}
