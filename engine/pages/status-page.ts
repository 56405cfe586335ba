import { escapeHtml } from '../../shared/base/escape-html.js';
import { type Brand, isUnbranded, logo, NOBODY, owner } from './brand.js';
import { renderPage, staticPagePolicy } from './html.js';
import { LANGUAGES, type Language } from './texts/language.js';
import { PROJECT, STATUS_PAGE_NAMES, type StatusPageName } from './texts/page-texts.js';
import { TEXTS } from './texts/texts.js';

/** The pages without a destination. They contain no script and reveal nothing about the link but its state. */
export const STATUS_LINES: Readonly<Record<StatusPageName, string>> = {
  not_found: '404 Not Found',
  disabled: '404 Not Found',
  expired: '410 Gone',
  deleted: '410 Gone',
  blocked: '403 Forbidden',
  method_not_allowed: '405 Method Not Allowed',
  unavailable: '503 Service Unavailable',
  failed: '500 Internal Server Error',
  no_destination: '200 OK',
};

/** Outlines in a 24 by 24 view box. */
const BROKEN_LINK = 'M9 7H7a5 5 0 0 0 0 10h2m6-10h2a5 5 0 0 1 4 8M9 12h3M4 3l16 18';
const SIGNS: Readonly<Record<StatusPageName, string>> = {
  not_found: BROKEN_LINK,
  disabled: BROKEN_LINK,
  expired: 'M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0zM12 7v5l3 2',
  deleted: 'M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v5m4-5v5',
  blocked: 'M12 3l8 3v6c0 5-3.5 8-8 9-4.5-1-8-4-8-9V6zM12 8v4m0 4h.01',
  method_not_allowed: 'M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0zM6 6l12 12',
  unavailable: 'M20 11a8 8 0 1 0-2 6.5M20 5v6h-6',
  failed: 'M12 4l9 16H3zM12 10v4m0 3h.01',
  no_destination: 'M8 2h8a2 2 0 0 1 2 2v16a2 2 0 0 1-2 2H8a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2zM11 18h2',
};

export interface StatusPage {
  readonly status: string;
  readonly language: Language;
  readonly body: Uint8Array;
  /** What the page may do (Content-Security-Policy). */
  readonly policy: string;
}

/**
 * Returns the page in a language, for a project. The page of the last project is kept, for a client that tries many paths of one
 * project.
 */
export function statusPage(name: StatusPageName, language: Language, brand: Brand): StatusPage {
  const compiled = COMPILED[language][name];
  if (brand.name === '') return compiled.nameless;
  if (!isUnbranded(brand)) return brandedPage(compiled, name, brand);
  if (compiled.recentName !== brand.name) {
    compiled.recent = { ...compiled.nameless, body: joined(compiled.named, Buffer.from(brand.name)) };
    compiled.recentName = brand.name;
  }
  return compiled.recent;
}

/** A brand stays the same object as long as nothing in its environment changes. */
function brandedPage(compiled: CompiledPage, name: StatusPageName, brand: Brand): StatusPage {
  if (compiled.recentBrand !== brand) {
    const { nameless } = compiled;
    compiled.recentBranded = { ...nameless, body: Buffer.from(render(name, nameless.language, brand)), policy: staticPagePolicy(brand) };
    compiled.recentBrand = brand;
  }
  return compiled.recentBranded;
}

interface CompiledPage {
  /** Parts of the page between the places where the project's name goes, in UTF-8. */
  readonly named: readonly Buffer[];
  /** The page on an unknown host. */
  readonly nameless: StatusPage;
  /** The page for the project for which it was last requested, and that project's name. */
  recent: StatusPage;
  recentName: string;
  /** The same for a brand that shows more than its name. */
  recentBranded: StatusPage;
  recentBrand: Brand;
}

function joined(parts: readonly Buffer[], separator: Buffer): Buffer {
  let length = (parts.length - 1) * separator.length;
  for (const part of parts) length += part.length;
  const whole = Buffer.allocUnsafe(length);
  let at = 0;
  for (const part of parts) {
    if (at > 0) at += separator.copy(whole, at);
    at += part.copy(whole, at);
  }
  return whole;
}

/** A character that no text contains. */
const NAME = '\u0001';

function compile(name: StatusPageName, language: Language): CompiledPage {
  const named = render(name, language, { ...NOBODY, name: NAME }).split(NAME);
  const body = Buffer.from(render(name, language, NOBODY));
  const nameless = { status: STATUS_LINES[name], language, body, policy: staticPagePolicy(NOBODY) };
  const recent = { recent: nameless, recentName: '', recentBranded: nameless, recentBrand: NOBODY };
  return { named: named.map((part) => Buffer.from(part)), nameless, ...recent };
}

function render(name: StatusPageName, language: Language, brand: Brand): string {
  const { title, main } = statusPageMain(name, language, brand);
  return renderPage({ brand, language, title, head: '', bodyAttributes: '', main, script: '' });
}

/** Returns the title and the content of the page, as HTML. */
export function statusPageMain(name: StatusPageName, language: Language, brand: Brand): { readonly title: string; readonly main: string } {
  const { title, text } = TEXTS[language].status[name];
  const heading = escapeHtml(title);
  const sign = `<svg class="sign" viewBox="0 0 24 24" aria-hidden="true"><path d="${SIGNS[name]}"/></svg>`;
  return {
    title: brand.name === '' ? heading : `${heading} · ${brand.name}`,
    main: `${logo(brand)}${sign}\n<h1>${heading}</h1>\n<p>${escapeHtml(text).replaceAll(PROJECT, () => brand.name)}</p>${owner(brand, language)}`,
  };
}

/**
 * Every page is compiled once for all projects. A page for each project, language and state would take 200 KB a project, and a
 * second of rendering whenever a table with 10,000 environments changes.
 */
const COMPILED = Object.fromEntries(
  LANGUAGES.map((language) => [language, Object.fromEntries(STATUS_PAGE_NAMES.map((name) => [name, compile(name, language)]))]),
) as Readonly<Record<Language, Readonly<Record<StatusPageName, CompiledPage>>>>;
