import { idTimeMs } from '../base/ids.js';
import { OPEN_PAGE_VISIT_MS } from '../base/limits.js';
import { type ClickIdKeys, isSignedClickId } from '../secrets/click-id-keys.js';

/** The parameter in which the open page, and the link that its button leads to, learn the click of the visit: always the first of the query. */
export const CLICK_ID_PARAMETER = 'click_id';

export interface SplitQuery {
  /** '' if the query does not begin with the id of a click. */
  readonly clickId: string;
  /** The rest: what the visitor brought. */
  readonly query: string;
}

/** Takes the click's id off a query. A parameter of that name whose value is not an id of ours is the visitor's own. */
export function splitClickId(query: string): SplitQuery {
  const end = query.indexOf('&');
  const first = end === -1 ? query : query.slice(0, end);
  const clickId = first.startsWith(`${CLICK_ID_PARAMETER}=`) ? first.slice(CLICK_ID_PARAMETER.length + 1) : '';
  if (clickId === '' || idTimeMs('click', clickId) === null) return { clickId: '', query };
  return { clickId, query: end === -1 ? '' : query.slice(end + 1) };
}

/** Returns the query without the id of a click that is not signed. Such an id is ignored. */
export function withoutForgedClickId(query: string, keys: ClickIdKeys): string {
  const { clickId, query: rest } = splitClickId(query);
  return clickId === '' || isSignedClickId(keys, clickId) ? query : rest;
}

/** Whether a request that bears the click's id belongs to the same visit. '' is no click. Clocks of hosts may differ either way. */
export function isOfThisVisit(clickId: string, nowMs: number): boolean {
  const clickedMs = clickId === '' ? null : idTimeMs('click', clickId);
  return clickedMs !== null && Math.abs(nowMs - clickedMs) <= OPEN_PAGE_VISIT_MS;
}
