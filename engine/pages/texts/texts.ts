import { DE } from './de.js';
import { EN } from './en.js';
import { ES } from './es.js';
import { FR } from './fr.js';
import { IT } from './it.js';
import { JA } from './ja.js';
import type { Language } from './language.js';
import type { Texts } from './page-texts.js';
import { PT } from './pt.js';
import { ZH } from './zh.js';
import { ZH_HANT } from './zh-hant.js';

export const TEXTS: Readonly<Record<Language, Texts>> = {
  en: EN,
  de: DE,
  fr: FR,
  es: ES,
  pt: PT,
  it: IT,
  ja: JA,
  zh: ZH,
  'zh-hant': ZH_HANT,
};
