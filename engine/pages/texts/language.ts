import { ACCEPT_LANGUAGE_RANGES_MAX } from '../../../shared/base/limits.js';

/** The languages of the pages. The first is for visitors who ask for none of them. */
export const LANGUAGES = ['en', 'de', 'fr', 'es', 'pt', 'it', 'ja', 'zh', 'zh-hant'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The names for `lang` and `Content-Language` (BCP 47). `zh` is written in simplified characters, `zh-hant` in traditional ones. */
export const LANGUAGE_TAGS: Readonly<Record<Language, string>> = {
  en: 'en',
  de: 'de',
  fr: 'fr',
  es: 'es',
  pt: 'pt',
  it: 'it',
  ja: 'ja',
  zh: 'zh-Hans',
  'zh-hant': 'zh-Hant',
};

/** One language range with its weight (RFC 9110, sections 12.4.2 and 12.5.4; RFC 4647, section 2.1). */
const RANGE = /^(\*|[a-z]{1,8}(?:-[a-z0-9]{1,8})*)(?:[ \t]*;[ \t]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/i;

/**
 * Returns the language for a visitor who sent this `Accept-Language`, whose length the caller limits. Of ranges with the same
 * weight the first counts. A region or script is ignored except in Chinese, so that `de-AT` is German. `*` stands for every
 * language that is not named, and a weight of 0 excludes a language. A malformed range is skipped. If none of the languages is
 * wanted, the result is English nevertheless: a page that somebody may read is worth more than 406.
 */
export function preferredLanguage(acceptLanguage: string): Language {
  const weights = new Map<string, number>();
  for (const text of acceptLanguage.split(',', ACCEPT_LANGUAGE_RANGES_MAX)) {
    const range = RANGE.exec(text.trim());
    if (range === null) continue;
    const name = languageOfRange((range[1] as string).toLowerCase());
    const weight = range[2] === undefined ? 1 : Number(range[2]);
    weights.set(name, Math.max(weight, weights.get(name) ?? 0));
  }
  let best: Language = LANGUAGES[0];
  let bestWeight = 0;
  for (const [name, weight] of weights) {
    if (weight <= bestWeight) continue;
    const language =
      name === '*' ? LANGUAGES.find((candidate) => !weights.has(candidate)) : LANGUAGES.find((candidate) => candidate === name);
    if (language === undefined) continue;
    best = language;
    bestWeight = weight;
  }
  return best;
}

/** Regions that write Chinese in traditional characters. */
const TRADITIONAL_REGIONS: ReadonlySet<string> = new Set(['tw', 'hk', 'mo']);

/** Returns the primary language. For Chinese, two of our languages share it: there the script decides, and without one the region. */
function languageOfRange(range: string): string {
  const [primary = '', ...subtags] = range.split('-');
  if (primary !== 'zh') return primary;
  const traditional = subtags.includes('hant') || (!subtags.includes('hans') && subtags.some((subtag) => TRADITIONAL_REGIONS.has(subtag)));
  return traditional ? 'zh-hant' : 'zh';
}
