import type { LinkUrlForm } from '../../shared/resolve/link-origin.js';
import { blockLinksStep } from '../blocking/block-links.js';
import type { Database } from '../db/database.js';
import { createPeriodicJob, type JobSurroundings, type PeriodicJob } from './periodic.js';

interface BlocklistScanOptions extends JobSurroundings {
  readonly database: Database;
  readonly form: LinkUrlForm;
  /** Called after feed rows were committed. */
  readonly feedChanged: () => void;
}

/** How soon an import is noticed. Each check is one statement on one row. */
const INTERVAL_MS = 5_000;
const OVERDUE_MS = 300_000;

/**
 * Blocks links whose destination was listed after they were created, and deletes cached answers that contain such a URL. A scan begins
 * within seconds of an import, and once a day.
 */
export function createBlocklistScan(options: BlocklistScanOptions): PeriodicJob {
  const { database, log, clock, form, feedChanged, intervalMs = INTERVAL_MS } = options;
  const step = async (): Promise<boolean> => {
    const { next, blocked, settings, forgotten } = await blockLinksStep(database, form, clock());
    if (blocked > 0) {
      log.warn({ code: 'links_blocked', links: blocked }, 'links were blocked because their destination is on a block list');
    }
    if (settings > 0)
      log.warn({ code: 'blocked_urls_changed', objects: settings }, 'the blocked URLs of environments, templates or metadata APIs changed');
    if (forgotten > 0)
      log.warn(
        { code: 'listed_answers_forgotten', items: forgotten },
        'cached answers of metadata APIs were cleared because they contain URLs on a block list',
      );
    if (blocked + settings + forgotten > 0) feedChanged();
    return next === 'more';
  };
  return createPeriodicJob({
    part: 'blocklist-scan',
    async round({ isStopping, progressed }) {
      while ((await step()) && !isStopping()) progressed();
    },
    intervalMs,
    overdueMs: OVERDUE_MS,
    overdueReason: 'links on a block list are still reachable',
    log,
    clock,
  });
}
