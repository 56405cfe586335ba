import type { Clock } from '../../shared/base/clock.js';
import type { Logger } from '../../shared/base/log.js';
import { createWake } from '../../shared/base/wake.js';
import { blockLinksStep } from '../blocklist/block-links.js';
import type { Database } from '../db/database.js';
import type { LinkUrlForm } from '../links/link-row.js';

/** Blocks links whose destination was listed after they were made: within seconds of an import, and looks again every day. */
export interface BlocklistScan {
  start(): void;
  /** Ends after the step under way; another control plane, or the next start, goes on from there. */
  stop(): Promise<void>;
  stats(): { readonly scanned: number; readonly blocked: number; readonly failures: number };
  health(): { readonly part: string; readonly ok: boolean; readonly reason: string };
}

export interface BlocklistScanOptions {
  readonly database: Database;
  readonly log: Logger;
  readonly clock: Clock;
  readonly form: LinkUrlForm;
  /** Says that feed rows were committed. */
  readonly feedChanged: () => void;
  readonly intervalMs?: number;
}

/** How soon an import is noticed. One statement on one row. */
const INTERVAL_MS = 5_000;

/** After a failure, for example while PostgreSQL restarts. */
const RETRY_MS = 30_000;

/** Failing for this long, links stay reachable that the operator has listed. */
const FAILING_MS_MAX = 300_000;

export function createBlocklistScan(options: BlocklistScanOptions): BlocklistScan {
  const { database, log, clock, form, feedChanged, intervalMs = INTERVAL_MS } = options;
  const wake = createWake();
  const stats = { scanned: 0, blocked: 0, failures: 0 };
  let stopping = false;
  let lastSuccessMs = clock();
  let loop: Promise<void> = Promise.resolve();

  const step = async (): Promise<number> => {
    const { next, scanned, blocked } = await blockLinksStep(database, form, clock());
    stats.scanned += scanned;
    stats.blocked += blocked;
    lastSuccessMs = clock();
    if (blocked > 0) {
      log.warn({ links: blocked }, 'links were blocked: their destination is on the block list');
      feedChanged();
    }
    return next === 'more' ? 0 : intervalMs;
  };

  const run = async (): Promise<void> => {
    while (!stopping) {
      let waitMs: number;
      try {
        waitMs = await step();
      } catch (error) {
        stats.failures++;
        waitMs = RETRY_MS;
        log.warn({ err: error }, 'the check of links against the block list failed and is tried again');
      }
      if (!stopping && waitMs > 0) await wake.wait(waitMs);
    }
  };

  return {
    start() {
      loop = run();
    },
    async stop() {
      stopping = true;
      wake.raise();
      await loop;
    },
    stats: () => ({ ...stats }),
    health() {
      const failing = clock() - lastSuccessMs > FAILING_MS_MAX;
      const reason = failing ? `links are not checked against the block list since ${new Date(lastSuccessMs).toISOString()}` : '';
      return { part: 'blocklist-scan', ok: !failing, reason };
    },
  };
}
