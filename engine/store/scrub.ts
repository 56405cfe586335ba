import { InvariantError } from '../../shared/base/invariant.js';
import type { Logger } from '../../shared/base/log.js';
import { type Scheduler, systemScheduler } from '../../shared/base/scheduler.js';
import { StoreDamagedError } from './environment.js';

/** What the scrub needs from the writer. */
export interface Checkable {
  generation(): string | null;
  check(afterKey: string | null, limit: number): string | null;
}

/**
 * Reads the whole store repeatedly, to find damage that no reader has met yet: LMDB has no checksums, and a value that no
 * visitor requests is not read. The first pass over a generation is fast (a million links in some seconds), every later one
 * slow (some ten minutes). `onDamage` reports damage, as do the writer's `cursor` and `inspect`.
 */
export interface Scrub {
  start(): void;
  stop(): void;
  /** Number of complete passes that found nothing. */
  stats(): { readonly passes: number };
}

const VALUES = 1000;
/** 1,000 values take 2 to 3 ms. So this takes at most half of the process's time, and only for a short while. */
const FIRST_PASS_PAUSE_MS = 3;
const PAUSE_MS = 500;

export function createScrub(store: Checkable, onDamage: () => void, log: Logger, schedule: Scheduler = systemScheduler): Scrub {
  let cancel: (() => void) | null = null;
  let generation: string | null = null;
  let passesOfGeneration = 0;
  let afterKey: string | null = null;
  let passes = 0;

  function round(): void {
    const current = store.generation();
    if (current !== generation) {
      generation = current;
      passesOfGeneration = 0;
      afterKey = null;
    }
    if (generation !== null) checkSome();
    cancel = schedule(generation !== null && passesOfGeneration === 0 ? FIRST_PASS_PAUSE_MS : PAUSE_MS, round);
  }

  function checkSome(): void {
    try {
      afterKey = store.check(afterKey, VALUES);
    } catch (error) {
      if (error instanceof InvariantError) throw error;
      log.error({ code: 'store_scrub_failed', err: error }, 'the configuration store could not be read completely');
      // The operating system refused: this says nothing about the store, and the same values are tried again.
      if (!(error instanceof StoreDamagedError)) return;
    }
    if (store.generation() !== generation) onDamage();
    else if (afterKey === null) {
      passesOfGeneration += 1;
      passes += 1;
    }
  }

  return {
    start() {
      cancel ??= schedule(0, round);
    },
    stop() {
      cancel?.();
      cancel = null;
    },
    stats: () => ({ passes }),
  };
}
