import type { DeviceFacts } from './choose-click.js';

const NOTHING: DeviceFacts = { language: null, model: null, screen: null };

/** Facebook's list at the end: `[FBAN/FBIOS;FBDV/iPhone14,5;FBLC/de_DE]`. */
const FACEBOOK_MODEL = /;FBDV\/([^;\]]+)/;
const FACEBOOK_LANGUAGE = /;FBLC\/([^;\]]+)/;
/** Facebook's own code for Spanish in Latin America. `LA` is Laos. */
const FACEBOOK_LATIN_AMERICA = 'es_LA';
/**
 * Instagram on iOS: `(iPhone14,5; iOS 17_5_1; de_DE; de-DE; scale=3.00; 1170x2532; 601330155)`. The first of the two languages is that of
 * dates and numbers, which may be `en_SA@calendar=gregorian` where the second, which the person prefers, is `ar-SA`. With a scale such as
 * `2.61`, the display shrinks or enlarges what is drawn, so that apps know another number of pixels. On Android its size is the window's.
 */
const INSTAGRAM_IOS = /\bInstagram \S+ \(([^;]+); iOS [\d_]+; [^;]+; ([\w-]+); scale=([^;]+); (?:gamut=[^;]+; )?(\d+x\d+)/;
/** Instagram on Android ends `; samsung; SM-A536B; a53x; s5e8825; de_DE; 601330155)`. */
const INSTAGRAM_ANDROID_LANGUAGE = /\bInstagram \S+ Android \(.*; ([a-z]{2,3}_[A-Z]{2}); \d+/;
const TIKTOK_LANGUAGE = /\bByteLocale\/([A-Za-z-]+)/;
/** `Android 13; SM-A536B Build/TP1A.220624.014; wv)`. Chrome says `K` for every model since its user agent was reduced. */
const ANDROID_MODEL = /\bAndroid [\d.]+; (?:[a-z]{2}[-_][A-Za-z]{2}; )?([^;)]+?)(?: Build\/[^;)]*)?(?:; wv)?\)/;

/**
 * Returns what a user agent reveals about its device beyond the system. Apps with browsers of their own reveal a lot,
 * browsers hardly anything. Costs microseconds; the caller caches the result by user agent.
 */
export function factsOfUserAgent(userAgent: string): DeviceFacts {
  const instagram = INSTAGRAM_IOS.exec(userAgent);
  if (instagram !== null) {
    const [, model = null, language = null, scale = '', size = null] = instagram;
    return { model, language, screen: Number.isInteger(Number(scale)) ? size : null };
  }
  const language = facebookLanguage(userAgent) ?? group(INSTAGRAM_ANDROID_LANGUAGE, userAgent) ?? group(TIKTOK_LANGUAGE, userAgent);
  const named = group(FACEBOOK_MODEL, userAgent) ?? group(ANDROID_MODEL, userAgent);
  const model = named === 'K' ? null : named;
  return language === null && model === null ? NOTHING : { language, model, screen: null };
}

function facebookLanguage(userAgent: string): string | null {
  const language = group(FACEBOOK_LANGUAGE, userAgent);
  return language === FACEBOOK_LATIN_AMERICA ? 'es_419' : language;
}

function group(pattern: RegExp, text: string): string | null {
  return pattern.exec(text)?.[1] ?? null;
}
