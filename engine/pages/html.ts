import { createHash } from 'node:crypto';
import { escapeHtml } from '../../shared/base/escape-html.js';
import { STYLE } from './style.js';
import { LANGUAGE_TAGS, type Language } from './texts/language.js';

/** Source expression of an inline `<style>` or `<script>` for a Content-Security-Policy. */
export function cspHash(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

const LOCKED = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Nothing but the page's own style: status pages and cards. */
export const STATIC_PAGE_CSP = `default-src 'none'; style-src ${cspHash(STYLE)}; ${LOCKED}`;

/** The same and one script, known by its hash, with what it `may` do besides: a directive, or ''; and a style of its own. */
export function scriptPageCsp(script: string, may = '', style = ''): string {
  const styles = style === '' ? cspHash(STYLE) : `${cspHash(STYLE)} ${cspHash(style)}`;
  return `default-src 'none'; style-src ${styles}; script-src ${cspHash(script)}; ${may === '' ? '' : `${may}; `}${LOCKED}`;
}

/** What a page shows of the project it belongs to, as HTML. */
export interface Brand {
  /** '' on a host of nobody. */
  readonly name: string;
  /** The first letter of the name, as a person would say it; '' with no name. */
  readonly initial: string;
}

export const NOBODY: Brand = { name: '', initial: '' };

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

export function brandOf(projectName: string): Brand {
  const name = projectName.trim();
  const [first] = graphemes.segment(name);
  return first === undefined ? NOBODY : { name: escapeHtml(name), initial: escapeHtml(first.segment.toUpperCase()) };
}

/** Stands for the project at the head of `<main>`, for the eye alone. */
export function mark({ initial }: Brand): string {
  return initial === '' ? '' : `<p class="mark" aria-hidden="true">${initial}</p>\n`;
}

/** Names the project at the end of `<main>`. */
export function owner(name: string): string {
  return name === '' ? '' : `\n<p class="owner">${name}</p>`;
}

export interface PageParts {
  readonly language: Language;
  /** As HTML. */
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

/** One look for every page of the link hosts, with nothing fetched from anywhere. */
export function renderPage(parts: PageParts): string {
  return `<!DOCTYPE html>
<html lang="${LANGUAGE_TAGS[parts.language]}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${parts.title}</title>
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
