import { message } from '../../language/text.js';

/** The names of platforms and UTM fields in the API, with their labels. */

export const PLATFORM_LABELS = {
  web: message('Web'),
  ios: message('iOS'),
  android: message('Android'),
  desktop: message('Desktop'),
  fallback: message('Fallback'),
} as const;
export const PLATFORM_NAMES = Object.keys(PLATFORM_LABELS) as readonly (keyof typeof PLATFORM_LABELS)[];

export const UTM_LABELS = {
  utm_source: message('UTM source'),
  utm_medium: message('UTM medium'),
  utm_campaign: message('UTM campaign'),
  utm_term: message('UTM term'),
  utm_content: message('UTM content'),
} as const;
export const UTM_NAMES = Object.keys(UTM_LABELS) as readonly (keyof typeof UTM_LABELS)[];
