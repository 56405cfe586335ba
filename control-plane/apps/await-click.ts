import { ANY_CLICK_WAIT_MS, CLICK_POLL_MS, NAMED_CLICK_WAIT_MS, NAMED_CLICK_YOUNG_MS } from '../../shared/base/limits.js';
import type { SdkOpen } from '../../shared/contract/schemas/sdk.js';
import type { Queryable } from '../db/database.js';
import { matchClick, type OpenEvidence } from './match-click.js';

export type Wait = (milliseconds: number) => Promise<void>;

/**
 * Gives a click that was answered a moment ago the time to be shipped, as long as nothing fits the open: its answer will be
 * given once and for all. Outside of any transaction, so that what waits here holds no connection and no lock. Whoever has
 * nothing that a click could be found by waits for none.
 */
export async function awaitClick(
  database: Queryable,
  evidence: OpenEvidence,
  { device, nowMs, wait }: { readonly device: SdkOpen['device']; readonly nowMs: number; readonly wait: Wait },
): Promise<void> {
  const young = evidence.named.some(({ occurredMs }) => Math.abs(nowMs - occurredMs) <= NAMED_CLICK_YOUNG_MS);
  const waitMsMax = young ? NAMED_CLICK_WAIT_MS : evidence.search === null ? 0 : ANY_CLICK_WAIT_MS;
  for (let waitedMs = 0; waitedMs < waitMsMax; waitedMs += CLICK_POLL_MS) {
    const match = await matchClick(database, evidence, device, nowMs);
    if (match.kind === 'click' ? !young || match.rule !== 'probabilistic' : !isPatient(match.reason, young)) return;
    await wait(CLICK_POLL_MS);
  }
}

/** Whether a click that comes in a moment could change the outcome: one more does not make several unique. */
function isPatient(reason: string, young: boolean): boolean {
  return young ? reason !== 'click_used' : reason !== 'ambiguous';
}
