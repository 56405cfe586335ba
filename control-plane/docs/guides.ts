import { Marked, type MarkedExtension, Renderer, type Tokens } from 'marked';
import { escapeHtml } from '../../shared/base/escape-html.js';

/** A guide as it is read from its file. The first heading is its title. */
export interface Guide {
  readonly name: string;
  readonly title: string;
  readonly markdown: string;
}

/** The guides in the order in which they are listed. Each is a file of `guides/`. */
export const GUIDE_NAMES = [
  'first-link',
  'apps-and-deep-links',
  'templates-and-cards',
  'webhooks',
  'attribution',
  'moving-in',
  'operating',
] as const;

/** Pages that are generated from the code's own tables when the docs are built, as files of `dist/reference`. */
export const REFERENCE_NAMES = ['settings', 'metrics', 'logs', 'events', 'problems'] as const;

/** The pages that a guide may link to. */
export const PAGE_NAMES = [...GUIDE_NAMES, ...REFERENCE_NAMES] as const;

export function readGuide(name: string, markdown: string): Guide {
  const title = /^# (.+)\n/.exec(markdown)?.[1];
  if (title === undefined) throw new Error(`the guide ${name} begins with no heading`);
  return { name, title, markdown };
}

export interface Heading {
  readonly id: string;
  readonly text: string;
}

export interface RenderedGuide {
  readonly html: string;
  /** The headings of the second level, in their order. */
  readonly headings: readonly Heading[];
}

/** Links name other pages by their files, so that they also work in an editor: `webhooks.md`. The reference is `../../docs`. */
const LINK = /^(?:([a-z-]+)\.md)?(?:#[a-z0-9-]+)?$/;
const REFERENCE_LINK = /^\.\.\/\.\.\/docs(?:#[\w/{}.-]+)?$/;

function addressOf(href: string, names: readonly string[]): string {
  if (REFERENCE_LINK.test(href)) return href;
  const [, name] = LINK.exec(href) ?? [];
  if (!LINK.test(href) || (name !== undefined && !names.includes(name))) throw new Error(`a guide links to ${href}, which is not a guide`);
  return href.replace('.md', '');
}

function idOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}

/** The body of the guide's page. Throws if it links to anything but a guide or the reference. */
export function renderGuide({ markdown }: Guide, names: readonly string[]): RenderedGuide {
  const headings: Heading[] = [];
  const extension: MarkedExtension = {
    walkTokens(token) {
      if (token.type === 'link') token.href = addressOf((token as Tokens.Link).href, names);
      if (token.type === 'image' || token.type === 'html') throw new Error(`a guide has ${token.raw}`);
    },
    renderer: {
      heading({ tokens, depth, text }) {
        const id = idOf(text);
        if (depth === 2) headings.push({ id, text: text.replaceAll('`', '') });
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      // An element that may be wider than the screen scrolls by itself, also by the keyboard.
      code: ({ text }) => `<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>\n`,
      // An empty header cell is not a header to a screen reader either.
      tablecell(token) {
        return token.header && token.text === '' ? '<td></td>\n' : Renderer.prototype.tablecell.call(this, token);
      },
      table(token) {
        return `<div class="wide" tabindex="0">${Renderer.prototype.table.call(this, token)}</div>\n`;
      },
    },
  };
  const html = new Marked(extension).parse(markdown, { async: false });
  return { html, headings };
}
