import type { CandidateClick } from '../../shared/attribution/choose-click.js';
import { matchClick, type OpenClicks, type OpenEvidence } from '../../shared/attribution/match-open.js';
import { ANY_CLICK_WAIT_MS, CLICK_POLL_MS, NAMED_CLICK_WAIT_MS } from '../../shared/base/limits.js';
import { type ClickWait, isYoungClick } from '../clicks/await-named-click.js';

/**
 * Gives a click that was answered a moment ago the time to be shipped, as long as nothing fits the open: its answer will be
 * given once and for all. Outside of any transaction, so that what waits here holds no connection and no lock. An open that
 * has nothing that a click could be found by waits for none, and for an id that nobody signed there is no click to come.
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

/** Whether a click that comes in a moment could change the outcome: one more does not make several unique. */
function mayStillChange(reason: string, young: boolean): boolean {
  return young ? reason !== 'click_used' : reason !== 'ambiguous';
}
