import { ALIAS_PATH_BYTES_MAX } from '../base/limits.js';
import type { DomainRecord } from '../records/records.js';

/** Characters that mean the same with and without an escape (RFC 3986, section 2.3), and slashes. */
const UNRESERVED = /^[A-Za-z0-9._~/-]*$/;

/**
 * Returns the path of a URL in the form in which aliases are compared: without the first slash and one at the end, and
 * with each character escaped in one way, because clients escape the same path in several ways (RFC 3986, section 6.2).
 * `%2F` stays distinct from a slash. Null if no alias can have the path: nothing is left, it is too long, or its
 * escapes are not UTF-8.
 */
export function aliasPath(urlPath: string): string | null {
  const path = urlPath.slice(1, urlPath.length > 1 && urlPath.endsWith('/') ? -1 : undefined);
  if (path === '' || path.length > 3 * ALIAS_PATH_BYTES_MAX) return null;
  const normal = UNRESERVED.test(path) ? path : normalSegments(path);
  return normal === null || normal.length > ALIAS_PATH_BYTES_MAX ? null : normal;
}

function normalSegments(path: string): string | null {
  try {
    return mapSegments(path, (segment) => segment);
  } catch (error) {
    if (error instanceof URIError) return null;
    throw error;
  }
}

/**
 * Returns the path that is tried if this one leads nowhere: the same path, as an alias has it, with all its letters in
 * lower case. Null if case counts on the host, or if there is no capital letter in the path.
 */
export function lowerCasePath(urlPath: string, domain: Pick<DomainRecord, 'case_insensitive'> | null): string | null {
  const path = domain?.case_insensitive === true ? aliasPath(urlPath) : null;
  if (path === null) return null;
  const lower = mapSegments(path, (segment) => segment.toLowerCase());
  return lower === path ? null : `/${lower}`;
}

function mapSegments(path: string, map: (segment: string) => string): string {
  return path
    .split('/')
    .map((segment) => encodeURIComponent(map(decodeURIComponent(segment))))
    .join('/');
}
