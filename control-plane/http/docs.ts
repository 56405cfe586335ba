import { fileURLToPath } from 'node:url';
import { readStaticFiles, type StaticFile, staticFileOf } from './static-files.js';

/** Has no trailing slash: the page refers to its files as `docs/...`, relative to it, so that a proxy may put it below any path. */
export const DOCS_PATH = '/docs';

/**
 * Nothing is loaded from elsewhere, and requests that a reader tries go only to this origin. Inline styles are allowed, because
 * the reference (Scalar) adds its own to the page as elements without a nonce, and positions parts by style attributes.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export const DOCS_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': POLICY,
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
};

/**
 * The reference, its document and the guides by the path at which they are served, from the files that `npm run build` has made.
 * Guides are served without `.html`.
 */
export function docsFiles(document: Readonly<Record<string, unknown>>): ReadonlyMap<string, StaticFile> {
  const files = readStaticFiles(fileURLToPath(new URL('../../docs/', import.meta.url)));
  const served = files.map(
    (file) => [file.name === 'index.html' ? DOCS_PATH : `${DOCS_PATH}/${file.name.replace(/\.html$/, '')}`, file] as const,
  );
  const json = staticFileOf('openapi.json', Buffer.from(JSON.stringify(document)));
  return new Map([...served, [`${DOCS_PATH}/${json.name}`, json]]);
}
