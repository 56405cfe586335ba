/** The version of the API that the SDKs speak. */
const VERSION = 'v1';

/** Host and path, without credentials, query and fragment. No URL object is used, because React Native's has no `pathname`. */
const ADDRESS = /^https?:\/\/[^\s/?#@\\]+(\/[^\s?#\\]*)?$/i;

export type BaseUrl = { readonly ok: true; readonly baseUrl: string } | { readonly ok: false; readonly fault: string };

/**
 * Returns the address that paths are appended to: with the version at its end and without a slash after it. If the
 * address has no version, it is added: `https://api.example.com` and `https://example.com/links/` mean the same as with
 * `/v1`.
 */
export function readBaseUrl(given: unknown): BaseUrl {
  const match = typeof given === 'string' ? ADDRESS.exec(given) : null;
  if (match === null)
    return {
      ok: false,
      fault: 'baseUrl must be the address of the API, such as https://api.example.com/v1, without credentials, query and fragment.',
    };
  const address = match[0].replace(/\/+$/, '');
  const last = /\/([^/]*)\/*$/.exec(match[1] ?? '')?.[1] ?? '';
  if (last === VERSION) return { ok: true, baseUrl: address };
  if (/^v\d+$/.test(last)) return { ok: false, fault: `baseUrl ends with /${last}, but this SDK uses /${VERSION}.` };
  return { ok: true, baseUrl: `${address}/${VERSION}` };
}
