import { isId } from '../base/ids.js';
import { parseUrl } from '../base/parse-url.js';
import { CLICK_ID_PARAMETER } from '../resolve/click-id.js';

/**
 * Returns the click that a Play referrer names. A destination's own referrer comes before it (`withPlayReferrer`), so
 * the last one counts. Some libraries return the referrer as it is in the URL, escaped once more. Null if it names
 * none.
 */
export function referrerClickId(referrer: string): string | null {
  const escaped = !referrer.includes('=') && /%3d/i.test(referrer);
  return lastClickId(new URLSearchParams(escaped ? (new URLSearchParams(`r=${referrer}`).get('r') ?? '') : referrer));
}

/** Returns the click that a clipboard names: by its id alone, or by a URL that carries it. Null if it names none. */
export function clipboardClickId(clipboard: string): string | null {
  const text = clipboard.trim();
  if (isId('click', text)) return text;
  const url = parseUrl(text);
  return url === null ? null : lastClickId(url.searchParams);
}

function lastClickId(parameters: URLSearchParams): string | null {
  return parameters.getAll(CLICK_ID_PARAMETER).findLast((value) => isId('click', value)) ?? null;
}
