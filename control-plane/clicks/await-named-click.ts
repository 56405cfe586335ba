import { idTimeMs } from '../../shared/base/ids.js';
import {
  CLICK_POLL_MS,
  NAMED_CLICK_WAIT_MS,
  NAMED_CLICK_WAITS_MAX,
  NAMED_CLICK_WAITS_OF_ENVIRONMENT_MAX,
  NAMED_CLICK_YOUNG_MS,
} from '../../shared/base/limits.js';
import { type ClickIdKeys, isSignedClickId } from '../../shared/secrets/click-id-keys.js';

/** What is needed to wait for a click. */
export interface ClickWait {
  readonly clickIds: ClickIdKeys;
  readonly wait: Wait;
}

export type Wait = (milliseconds: number) => Promise<void>;

/** A click that a call of an environment names. */
export interface NamedClickCall {
  readonly environmentId: string;
  readonly clickId: string;
  readonly nowMs: number;
}

/** Number of calls of this process that are waiting now, by environment. Each queries PostgreSQL ten times a second. */
const waiting = new Map<string, number>();

/**
 * Looks for the click with this id. If its redirect was sent only a moment ago, waits for it to be shipped, unless too many calls are
 * waiting already. Call it outside any transaction, so that a waiting call holds no connection and no lock.
 */
export async function awaitNamedClick<Click>(
  { environmentId, clickId, nowMs }: NamedClickCall,
  find: () => Promise<Click | null>,
  { clickIds, wait }: ClickWait,
): Promise<Click | null> {
  let click = await find();
  if (click !== null || !isYoungClick(clickIds, clickId, nowMs) || !mayWait(environmentId)) return click;
  countWaiting(environmentId, 1);
  try {
    for (let waitedMs = 0; click === null && waitedMs < NAMED_CLICK_WAIT_MS; waitedMs += CLICK_POLL_MS) {
      await wait(CLICK_POLL_MS);
      click = await find();
    }
    return click;
  } finally {
    countWaiting(environmentId, -1);
  }
}

/**
 * Each environment has waits of its own: a click of another environment has a valid signature and is never found, so that calls that name
 * one wait for the full time.
 */
function mayWait(environmentId: string): boolean {
  const all = [...waiting.values()].reduce((sum, calls) => sum + calls, 0);
  return all < NAMED_CLICK_WAITS_MAX && (waiting.get(environmentId) ?? 0) < NAMED_CLICK_WAITS_OF_ENVIRONMENT_MAX;
}

function countWaiting(environmentId: string, change: 1 | -1): void {
  const calls = (waiting.get(environmentId) ?? 0) + change;
  if (calls > 0) waiting.set(environmentId, calls);
  else waiting.delete(environmentId);
}

/** Whether a link host has issued the id so recently that its click may still be on its way. */
export function isYoungClick(clickIds: ClickIdKeys, clickId: string, nowMs: number): boolean {
  const clickedMs = idTimeMs('click', clickId);
  return clickedMs !== null && Math.abs(nowMs - clickedMs) <= NAMED_CLICK_YOUNG_MS && isSignedClickId(clickIds, clickId);
}
