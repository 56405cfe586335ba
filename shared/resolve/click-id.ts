import { idTimeMs } from '../base/ids.js';
import { OPEN_PAGE_VISIT_MS } from '../base/limits.js';
import { type ClickIdKeys, isSignedClickId } from '../secrets/click-id-keys.js';

/**
 * The parameter that carries the id of the visit's click to the open page and to the link behind its button. It is
 * always the first of the query.
 */
export const CLICK_ID_PARAMETER = 'click_id';

export interface SplitQuery {
  /** '' if the query does not begin with the id of a click. */
  readonly clickId: string;
  /** The rest of the query: the visitor's own parameters. */
  readonly query: string;
}

/** Removes the click's id from a query. A parameter of that name whose value is not one of our ids belongs to the visitor. */
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

/**
 * Whether a request with this click id belongs to the same visit. '' means no click. The clocks of hosts may differ in
 * either direction.
 */
export function isOfThisVisit(clickId: string, nowMs: number): boolean {
  const clickedMs = clickId === '' ? null : idTimeMs('click', clickId);
  return clickedMs !== null && Math.abs(nowMs - clickedMs) <= OPEN_PAGE_VISIT_MS;
}
