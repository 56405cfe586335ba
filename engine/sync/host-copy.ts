import type { Clock } from '../../shared/base/clock.js';
import type { Logger } from '../../shared/base/log.js';
import { createLinkIndexKeeper, type LinkIndexKeeper, type LinkIndexStats } from '../link-index/keeper.js';
import { type ConfigWriter, openConfigWriter } from '../store/config-writer.js';
import { createScrub, type Scrub } from '../store/scrub.js';

export interface HostCopyOptions {
  readonly dataDir: string;
  readonly log: Logger;
  readonly clock: Clock;
  /** Called when the scrub has met damage. */
  readonly onDamage: () => void;
}

interface OpenCopy {
  readonly writer: ConfigWriter;
  readonly scrub: Scrub;
  readonly linkIndex: LinkIndexKeeper;
}

/** Readers look at `CURRENT` every few milliseconds; a generation that `CURRENT` no longer names is kept this long. */
const OLD_GENERATION_KEPT_MS = 5000;

/** The host's store, opened for writing when it is first needed, with what is kept beside it: its scrub and the link index. */
export class HostCopy {
  readonly #options: HostCopyOptions;
  #open: OpenCopy | null = null;
  /** By `performance.now()`: when the last new generation was put in place, until the old one is removed. */
  #swappedAt: number | null = null;

  constructor(options: HostCopyOptions) {
    this.#options = options;
  }

  /** Null until `open`. */
  get writer(): ConfigWriter | null {
    return this.#open?.writer ?? null;
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

  /** A new generation is in place; readers are still to notice it. */
  swapped(): void {
    this.#swappedAt = performance.now();
  }

  /** Called now and then while the copy is followed: removes what a bootstrap has left unfinished, and the old generation when readers have left it. */
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
