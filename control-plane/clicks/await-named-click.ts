import { idTimeMs } from '../../shared/base/ids.js';
import { CLICK_POLL_MS, NAMED_CLICK_WAIT_MS, NAMED_CLICK_WAITS_MAX, NAMED_CLICK_YOUNG_MS } from '../../shared/base/limits.js';
import { type ClickIdKeys, isSignedClickId } from '../../shared/secrets/click-id-keys.js';

/** What is needed to wait for a click. */
export interface ClickWait {
  readonly clickIds: ClickIdKeys;
  readonly wait: Wait;
}

export type Wait = (milliseconds: number) => Promise<void>;

/** Number of calls of this process that are waiting now. Each queries PostgreSQL ten times a second. */
let waiting = 0;

/**
 * Looks for the click with this id. If its redirect was sent only a moment ago, waits for it to be shipped, unless too many calls are
 * waiting already. Call it outside any transaction, so that a waiting call holds no connection and no lock.
 */
export async function awaitNamedClick<Click>(
  clickId: string,
  nowMs: number,
  find: () => Promise<Click | null>,
  { clickIds, wait }: ClickWait,
): Promise<Click | null> {
  let click = await find();
  if (click !== null || waiting >= NAMED_CLICK_WAITS_MAX || !isYoungClick(clickIds, clickId, nowMs)) return click;
  waiting++;
  try {
    for (let waitedMs = 0; click === null && waitedMs < NAMED_CLICK_WAIT_MS; waitedMs += CLICK_POLL_MS) {
      await wait(CLICK_POLL_MS);
      click = await find();
    }
    return click;
  } finally {
    waiting--;
  }
}

/** Whether a link host has issued the id so recently that its click may still be on its way. */
export function isYoungClick(clickIds: ClickIdKeys, clickId: string, nowMs: number): boolean {
  const clickedMs = idTimeMs('click', clickId);
  return clickedMs !== null && Math.abs(nowMs - clickedMs) <= NAMED_CLICK_YOUNG_MS && isSignedClickId(clickIds, clickId);
}
