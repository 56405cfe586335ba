import { type Brand, NOBODY, sha256Source } from './brand.js';
import { STYLE } from './style.js';
import { LANGUAGE_TAGS, type Language } from './texts/language.js';

const LOCKED = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const OWN_STYLE = sha256Source(STYLE);

/** What a page may do besides showing its own style. */
export interface PageRights {
  /** The scripts that may run in it, which are allowed by their hashes: its own, and those of pages that may replace it. */
  readonly scripts: readonly string[];
  /** Whether these scripts may send requests to the host of the page. */
  readonly connects: boolean;
  /** A style sheet of its own; '' for none. */
  readonly style: string;
}

/** Returns the Content-Security-Policy of a page for each brand, which adds its colours and its logo. */
export function pagePolicy({ scripts, connects, style }: PageRights): (brand: Brand) => string {
  const styles = style === '' ? OWN_STYLE : `${OWN_STYLE} ${sha256Source(style)}`;
  const sources = scripts.map(sha256Source).join(' ');
  const rights = `${sources === '' ? '' : `script-src ${sources}; `}${connects ? "connect-src 'self'; " : ''}${LOCKED}`;
  const plain = `default-src 'none'; style-src ${styles}; ${rights}`;
  return ({ style_source, logo_url }) => {
    if (style_source === '' && logo_url === '') return plain;
    const images = logo_url === '' ? '' : "img-src 'self'; ";
    return `default-src 'none'; style-src ${styles}${style_source === '' ? '' : ` ${style_source}`}; ${images}${rights}`;
  };
}

/** The policy of status pages and cards. */
export const staticPagePolicy = pagePolicy({ scripts: [], connects: false, style: '' });

/** The policy for a brand that shows nothing but its name. */
export const STATIC_PAGE_CSP = staticPagePolicy(NOBODY);

export interface PageParts {
  readonly brand: Brand;
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

/** Renders a page. All pages of the link hosts look alike, and fetch nothing but the logo, which is on the same host. */
export function renderPage(parts: PageParts): string {
  const { style } = parts.brand;
  return `<!DOCTYPE html>
<html lang="${LANGUAGE_TAGS[parts.language]}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${parts.title}</title>
${parts.head}<style>${STYLE}</style>${style === '' ? '' : `\n<style>${style}</style>`}
</head>
<body${parts.bodyAttributes}>
<main>
${parts.main}
</main>
${parts.script === '' ? '' : `<script>${parts.script}</script>\n`}</body>
</html>
`;
}
