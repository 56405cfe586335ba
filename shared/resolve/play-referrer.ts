import { decodeName } from './query.js';

/** The parameter in which Google Play passes the click to the app that it installs (Play Install Referrer). */
const REFERRER = 'referrer';

/**
 * Returns a Play Store URL that carries the click: `referrer=click_id%3D<id>`. A referrer that the destination sets
 * itself is kept, and the click is appended to it as one more of its parameters.
 */
export function withPlayReferrer(url: string, clickId: string): string {
  const hash = url.indexOf('#');
  const end = hash === -1 ? url.length : hash;
  const mark = url.indexOf('?');
  if (mark === -1 || mark > end) return `${url.slice(0, end)}?${REFERRER}=click_id%3D${clickId}${url.slice(end)}`;
  const pieces = url.slice(mark + 1, end).split('&');
  const at = pieces.findIndex(isReferrer);
  if (at === -1) pieces.push(`${REFERRER}=click_id%3D${clickId}`);
  else pieces[at] = joined(pieces[at] as string, clickId);
  return `${url.slice(0, mark + 1)}${pieces.filter((piece) => piece !== '').join('&')}${url.slice(end)}`;
}

function isReferrer(piece: string): boolean {
  const equals = piece.indexOf('=');
  return decodeName(equals === -1 ? piece : piece.slice(0, equals)) === REFERRER;
}

function joined(piece: string, clickId: string): string {
  const equals = piece.indexOf('=');
  const value = equals === -1 ? '' : piece.slice(equals + 1);
  return `${REFERRER}=${value}${value === '' ? '' : '%26'}click_id%3D${clickId}`;
}

/** Whether the parameter is the referrer. A visitor's query may not name the click that an install belongs to. */
export function isReferrerParameter(name: string): boolean {
  return name === REFERRER;
}
