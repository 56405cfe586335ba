import { fileURLToPath } from 'node:url';
import { readStaticFiles, type StaticFile } from './static-files.js';

/** Ends with a slash: the page has URLs relative to it, and uses `../v1` for the API, so that a proxy may put both below any path. */
export const DASHBOARD_PATH = '/dashboard/';

/**
 * Nothing is loaded from elsewhere, no inline script runs, and calls go only to this origin. Pictures may come from any https host,
 * because cards are shown with the customers' own pictures.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob: https:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export const DASHBOARD_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': POLICY,
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  // Public links lead here, and search engines may find them.
  'x-robots-tag': 'noindex',
};

/** The files of the page by the path at which they are served; empty if `npm run build` has not made them. */
export function dashboardFiles(): ReadonlyMap<string, StaticFile> {
  const files = readStaticFiles(fileURLToPath(new URL('../../dashboard/', import.meta.url)));
  return new Map(files.map((file) => [DASHBOARD_PATH + (file.name === 'index.html' ? '' : file.name), file]));
}
