import type { CandidateClick } from '../../shared/attribution/choose-click.js';
import { matchClick, type OpenClicks, type OpenEvidence } from '../../shared/attribution/match-open.js';
import { ANY_CLICK_WAIT_MS, CLICK_POLL_MS, NAMED_CLICK_WAIT_MS } from '../../shared/base/limits.js';
import { type ClickWait, isYoungClick } from '../clicks/await-named-click.js';

/**
 * Waits, as long as no click matches the open, for a recent click to be shipped, because the answer to an open is final. Call it
 * outside any transaction, so that a waiting call holds no connection and no lock. If the open has nothing by which a click could be
 * found, it does not wait. Nor does it wait for an id that is not signed, because there is no such click.
 */
export async function awaitClick<Click extends CandidateClick>(
  clicks: OpenClicks<Click>,
  evidence: OpenEvidence,
  { clickIds, wait }: ClickWait,
): Promise<void> {
  const young = evidence.named.some(({ id }) => isYoungClick(clickIds, id, evidence.nowMs));
  const waitMsMax = young ? NAMED_CLICK_WAIT_MS : evidence.search === null ? 0 : ANY_CLICK_WAIT_MS;
  for (let waitedMs = 0; waitedMs < waitMsMax; waitedMs += CLICK_POLL_MS) {
    const match = await matchClick(clicks, evidence);
    if (match.kind === 'click' ? !young || match.rule !== 'probabilistic' : !mayStillChange(match.reason, young)) return;
    await wait(CLICK_POLL_MS);
  }
}

/** Whether a click that arrives soon could change the outcome. If several clicks are ambiguous, another one cannot make them unique. */
function mayStillChange(reason: string, young: boolean): boolean {
  return young ? reason !== 'click_used' : reason !== 'ambiguous';
}
