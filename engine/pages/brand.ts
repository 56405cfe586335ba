import { createHash } from 'node:crypto';
import { escapeHtml } from '../../shared/base/escape-html.js';
import { parseHexColor } from '../../shared/base/hex-color.js';
import { type PageColors, pageColors } from '../../shared/base/page-colors.js';
import type { EnvironmentRecord } from '../../shared/records/records.js';
import { BRAND_LOGO_PATH } from '../../shared/resolve/link-addresses.js';
import type { Language } from './texts/language.js';
import { TEXTS } from './texts/texts.js';

/** What a page shows of the environment that it belongs to, as HTML. Everything but the name is '' if the environment does not set it. */
export interface Brand {
  /** '' on an unknown host. */
  readonly name: string;
  /** The first letter of the name, as a person would see it; '' without a name. */
  readonly initial: string;
  /** A style sheet that follows the one of every page, and its source expression for a Content-Security-Policy. */
  readonly style: string;
  readonly style_source: string;
  /** A path that works on each host of the environment. */
  readonly logo_url: string;
  readonly support_url: string;
}

const UNBRANDED = { style: '', style_source: '', logo_url: '', support_url: '' };

export const NOBODY: Brand = { name: '', initial: '', ...UNBRANDED };

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Returns the brand of a project that sets nothing but its name. */
export function brandOf(projectName: string): Brand {
  const name = projectName.trim();
  const [first] = graphemes.segment(name);
  if (first === undefined) return NOBODY;
  return { name: escapeHtml(name), initial: escapeHtml(first.segment.toUpperCase()), ...UNBRANDED };
}

/** Computing colours and digests takes 50 µs for a brand, and every change of any environment compiles all of them again. */
const compiled = new WeakMap<EnvironmentRecord, Brand>();

export function environmentBrand(record: EnvironmentRecord): Brand {
  if (record.brand === null) return brandOf(record.project_name);
  let brand = compiled.get(record);
  if (brand === undefined) {
    brand = compileBrand(record.brand, record.project_name);
    compiled.set(record, brand);
  }
  return brand;
}

function compileBrand({ name, color, logo, support_url }: NonNullable<EnvironmentRecord['brand']>, projectName: string): Brand {
  const style = [color === null ? '' : colorStyle(color), logo === null ? '' : LOGO_STYLE, support_url === null ? '' : SUPPORT_STYLE]
    .filter(Boolean)
    .join('\n');
  return {
    ...brandOf(name ?? projectName),
    style,
    style_source: style === '' ? '' : sha256Source(style),
    // A new logo gets a new address, because caches may keep the file.
    logo_url: logo === null ? '' : `${BRAND_LOGO_PATH}?v=${createHash('sha256').update(logo).digest('hex').slice(0, 12)}`,
    support_url: support_url === null ? '' : escapeHtml(support_url),
  };
}

/** Logos are drawn for paper, so they keep a white background on the dark card. */
const LOGO_STYLE =
  '.logo{display:block;height:4rem;max-width:100%;margin:0 auto 1.5rem;padding:.25rem;border-radius:.75rem;background:#fff;object-fit:contain}';

/** As high as a finger is wide, without moving the lines apart. */
const SUPPORT_STYLE = '.owner a{display:inline-block;margin:-.75rem 0;padding:.75rem .25rem;color:var(--accent)}';

function colorStyle(color: string): string {
  const rgb = parseHexColor(color);
  if (rgb === null) return '';
  const { light, dark } = pageColors(rgb);
  return `:root{${properties(light)}}
@media(prefers-color-scheme:dark){:root{${properties(dark)}}}
.mark,.actions .main{background:var(--fill);border-color:var(--edge)}`;
}

function properties(colors: PageColors): string {
  return Object.entries(colors)
    .map(([name, value]) => `--${name}:${value}`)
    .join(';');
}

/** Returns the source expression of an inline `<style>` or `<script>` for a Content-Security-Policy. */
export function sha256Source(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

/** Whether a page looks like that of a project that sets nothing but its name. */
export function isUnbranded({ style, logo_url, support_url }: Brand): boolean {
  return style === '' && logo_url === '' && support_url === '';
}

/** Returns the name alone, for cards, which chats show in their own style. */
export function nameAlone({ name, initial }: Brand): Brand {
  return { name, initial, ...UNBRANDED };
}

/** Represents the environment at the head of `<main>`, visually only: its logo, or the first letter of its name. */
export function mark(brand: Brand): string {
  if (brand.logo_url !== '') return logo(brand);
  return brand.initial === '' ? '' : `<p class="mark" aria-hidden="true">${brand.initial}</p>\n`;
}

/** Returns the logo for the head of a page that has a sign of its own. */
export function logo({ logo_url }: Brand): string {
  return logo_url === '' ? '' : `<img class="logo" src="${logo_url}" alt="">\n`;
}

/** Names the environment at the end of `<main>`, with a link to help. */
export function owner({ name, support_url }: Brand, language: Language): string {
  if (name === '') return '';
  const help = support_url === '' ? '' : ` · <a href="${support_url}" rel="noreferrer">${escapeHtml(TEXTS[language].support_link)}</a>`;
  return `\n<p class="owner">${name}${help}</p>`;
}
