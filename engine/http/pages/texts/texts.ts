import type { Language } from '../language.js';
import { DE } from './de.js';
import { EN } from './en.js';
import { ES } from './es.js';
import { FR } from './fr.js';
import { IT } from './it.js';
import { JA } from './ja.js';
import { PT } from './pt.js';
import { ZH } from './zh.js';

/** Where the name of the project goes. */
export const PROJECT = '{project}';

/** Pages that lead nowhere, by their names. */
export const STATUS_PAGE_NAMES = [
  'not_found',
  'disabled',
  'expired',
  'deleted',
  'blocked',
  'method_not_allowed',
  'unavailable',
  'failed',
  'no_destination',
] as const;
export type StatusPageName = (typeof STATUS_PAGE_NAMES)[number];

export interface PageText {
  readonly title: string;
  readonly text: string;
}

/** Everything that the pages of the link hosts say, in one language. Plain text, in which `{project}` is filled in. */
export interface Texts {
  readonly status: { readonly [Name in StatusPageName]: PageText };
  /** The page that opens the app. */
  readonly open: PageText;
  /** The same where there is no more to do than to get the app. */
  readonly get: PageText;
  readonly open_button: string;
  readonly get_button: string;
  readonly web_link: string;
  /** For a visitor inside another app's browser. */
  readonly in_app_hint: string;
}

export const TEXTS: Readonly<Record<Language, Texts>> = { en: EN, de: DE, fr: FR, es: ES, pt: PT, it: IT, ja: JA, zh: ZH };
