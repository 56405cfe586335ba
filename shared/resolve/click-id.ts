import { isId } from '../base/ids.js';

/** The parameter in which the open page learns the click that led to it, always the first of the query. */
export const CLICK_ID_PARAMETER = 'click_id';

/** Takes the click's id out of the open page's query; both parts are '' where there is none. */
export function splitClickId(query: string): { readonly clickId: string; readonly query: string } {
  const end = query.indexOf('&');
  const first = end === -1 ? query : query.slice(0, end);
  if (!first.startsWith(`${CLICK_ID_PARAMETER}=`)) return { clickId: '', query };
  const clickId = first.slice(CLICK_ID_PARAMETER.length + 1);
  return { clickId: isId('click', clickId) ? clickId : '', query: end === -1 ? '' : query.slice(end + 1) };
}
