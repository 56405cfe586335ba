import { createHash } from 'node:crypto';
import { escapeHtml } from '../../../shared/base/escape-html.js';

/** One look for every page of the link host, light and dark, with nothing fetched from anywhere. */
const STYLE = `:root{color-scheme:light dark}
body{margin:0;min-height:100vh;display:grid;place-items:center;font:1.0625rem/1.5 system-ui,sans-serif;background:Canvas;color:CanvasText}
main{box-sizing:border-box;width:100%;max-width:26rem;padding:2rem;text-align:center}
h1{font-size:1.375rem;line-height:1.25;margin:0 0 .75rem}
p{margin:0 0 1.25rem}
.name{opacity:.75;margin:0 0 1.5rem}
.note{border:1px solid;border-radius:.75rem;padding:.75rem 1rem}
a{color:LinkText}
a.open{display:block;padding:.875rem 1.25rem;border-radius:.75rem;background:#1d4ed8;color:#fff;font-weight:600;text-decoration:none}
a:focus-visible{outline:3px solid;outline-offset:3px}`;

/** Source expression of an inline `<style>` or `<script>` for a Content-Security-Policy. */
export function cspHash(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

const LOCKED = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Nothing but the page's own style: status pages and cards. */
export const STATIC_PAGE_CSP = `default-src 'none'; style-src ${cspHash(STYLE)}; ${LOCKED}`;

/** The same and one script, known by its hash. */
export function scriptPageCsp(script: string): string {
  return `default-src 'none'; style-src ${cspHash(STYLE)}; script-src ${cspHash(script)}; ${LOCKED}`;
}

export interface PageParts {
  readonly title: string;
  /** Elements of `<head>` beyond title and style, as HTML. */
  readonly head: string;
  /** Attributes of `<body>`, as HTML with a leading space, or ''. */
  readonly bodyAttributes: string;
  /** Content of `<main>`, as HTML. */
  readonly main: string;
  /** Script at the end of the page, or ''. */
  readonly script: string;
}

export function renderPage(parts: PageParts): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${escapeHtml(parts.title)}</title>
${parts.head}<style>${STYLE}</style>
</head>
<body${parts.bodyAttributes}>
<main>
${parts.main}
</main>
${parts.script === '' ? '' : `<script>${parts.script}</script>\n`}</body>
</html>
`;
}
