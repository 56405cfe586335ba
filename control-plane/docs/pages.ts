import { escapeHtml } from '../../shared/base/escape-html.js';
import { type Guide, renderGuide } from './guides.js';

/** Addresses of the files that pages load, below `/docs/`. */
export interface PageAssets {
  readonly style: string;
  /** The script that shows the reference, after Scalar's. */
  readonly referenceScripts: readonly string[];
  /** Modules that those scripts import. The page names them, so that the browser requests them at once. */
  readonly preloads: readonly string[];
}

interface PageParts {
  readonly title: string;
  /** From the page's own address to `/docs/`. */
  readonly base: string;
  /** From the page's own address to the reference. */
  readonly reference: string;
  /** Name of the guide that is shown; null on the reference. */
  readonly current: string | null;
  readonly guides: readonly Guide[];
  readonly head: string;
  readonly body: string;
}

function page({ title, base, reference, current, guides, head, body }: PageParts): string {
  const entry = (href: string, text: string, isCurrent: boolean) =>
    `<a href="${href}"${isCurrent ? ' aria-current="page"' : ''}>${escapeHtml(text)}</a>`;
  const entries = [
    entry(reference, 'API reference', current === null),
    ...guides.map((guide) => entry(`${base}guides/${guide.name}`, guide.title, guide.name === current)),
  ];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
${head}
</head>
<body>
<a class="docs-skip" href="#${current === null ? 'reference' : 'content'}">Skip to the text</a>
<nav class="docs-bar" aria-label="Documentation">${entries.join('')}</nav>
${body}
</body>
</html>
`;
}

export function referencePage(guides: readonly Guide[], { style, referenceScripts, preloads }: PageAssets): string {
  const base = 'docs/';
  const head = [
    `<link rel="stylesheet" href="${base}${style}">`,
    `<link rel="preload" as="fetch" crossorigin href="${base}openapi.json">`,
    ...preloads.map((name) => `<link rel="modulepreload" href="${base}${name}">`),
    // Modules run in the order of their elements.
    ...referenceScripts.map((name) => `<script type="module" src="${base}${name}"></script>`),
  ];
  const body =
    '<noscript><p class="notice">The reference needs JavaScript. <a href="docs/openapi.json">openapi.json</a> has the same content.</p></noscript>\n<div id="reference"></div>';
  return page({ title: 'API reference', base, reference: '', current: null, guides, head: head.join('\n'), body });
}

export function guidePage(guide: Guide, guides: readonly Guide[], { style }: PageAssets): string {
  const base = '../';
  const { html, headings } = renderGuide(
    guide,
    guides.map(({ name }) => name),
  );
  const contents = headings.map(({ id, text }) => `<li><a href="#${id}">${escapeHtml(text)}</a></li>`).join('');
  const next = guides[guides.indexOf(guide) + 1];
  const onward = next === undefined ? '' : `<p class="onward">Next: <a href="${base}guides/${next.name}">${escapeHtml(next.title)}</a></p>`;
  return page({
    title: guide.title,
    base,
    reference: '../../docs',
    current: guide.name,
    guides,
    head: `<link rel="stylesheet" href="${base}${style}">`,
    body: `<div class="guide"><aside aria-label="On this page"><ul>${contents}</ul></aside><main id="content" tabindex="-1">${html}${onward}</main></div>`,
  });
}
