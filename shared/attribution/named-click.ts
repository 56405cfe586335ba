import { isId } from '../base/ids.js';
import { parseUrl } from '../base/parse-url.js';
import { CLICK_ID_PARAMETER } from '../resolve/click-id.js';

/**
 * The click that a Play referrer names. A destination's own referrer goes before it (`withPlayReferrer`), so the last one
 * counts. Some libraries hand the referrer over as it stands in the URL, escaped once more. Null where it names none.
 */
export function referrerClickId(referrer: string): string | null {
  const escaped = !referrer.includes('=') && /%3d/i.test(referrer);
  return lastClickId(new URLSearchParams(escaped ? (new URLSearchParams(`r=${referrer}`).get('r') ?? '') : referrer));
}

/** The click that a clipboard names: by its id alone, or by a URL that carries it. Null where it names none. */
export function clipboardClickId(clipboard: string): string | null {
  const text = clipboard.trim();
  if (isId('click', text)) return text;
  const url = parseUrl(text);
  return url === null ? null : lastClickId(url.searchParams);
}

function lastClickId(parameters: URLSearchParams): string | null {
  return parameters.getAll(CLICK_ID_PARAMETER).findLast((value) => isId('click', value)) ?? null;
}
