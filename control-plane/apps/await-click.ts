import type { CandidateClick } from '../../shared/attribution/choose-click.js';
import { type ClickMatch, matchClick, type OpenClicks, type OpenEvidence } from '../../shared/attribution/match-open.js';
import { ANY_CLICK_WAIT_MS, CLICK_POLL_MS, NAMED_CLICK_WAIT_MS } from '../../shared/base/limits.js';
import type { ClickIdKeys } from '../../shared/secrets/click-id-keys.js';
import { type ClickWait, isYoungClick } from '../clicks/await-named-click.js';

/**
 * Waits for a recent click to be shipped that would match the open before, or better than, what matches it now, because the answer to an
 * open is final. Call it outside any transaction, so that a waiting call holds no connection and no lock. If the open has nothing by which
 * a click could be found, it does not wait. Nor does it wait for an id that is not signed, because there is no such click.
 */
export async function awaitClick<Click extends CandidateClick>(
  clicks: OpenClicks<Click>,
  evidence: OpenEvidence,
  { clickIds, wait }: ClickWait,
): Promise<void> {
  for (let waitedMs = 0; ; waitedMs += CLICK_POLL_MS) {
    const match = await matchClick(clicks, evidence);
    const waitMsMax = (await mayBeNamed(clicks, evidence, match, clickIds))
      ? NAMED_CLICK_WAIT_MS
      : mayBeFound(evidence, match)
        ? ANY_CLICK_WAIT_MS
        : 0;
    if (waitedMs >= waitMsMax) return;
    await wait(CLICK_POLL_MS);
  }
}

/** Whether a named click may still come, and would be matched by an earlier rule. One that was used does not come any more. */
async function mayBeNamed<Click extends CandidateClick>(
  clicks: OpenClicks<Click>,
  { named, nowMs }: OpenEvidence,
  match: ClickMatch<Click>,
  clickIds: ClickIdKeys,
): Promise<boolean> {
  for (const click of named) {
    if (match.kind === 'click' && match.rule === click.rule) return false;
    if (isYoungClick(clickIds, click.id, nowMs) && !(await clicks.isUsed(click))) return true;
  }
  return false;
}

/** Whether a click that comes may be the only one that fits. If several clicks are ambiguous, another one cannot make them unique. */
function mayBeFound({ search }: OpenEvidence, match: ClickMatch<unknown>): boolean {
  return search !== null && match.kind === 'none' && match.reason !== 'ambiguous';
}
