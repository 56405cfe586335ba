/** A name of this length fits the heading of a page on a phone. */
export const BRAND_NAME_CHARACTERS_MAX = 60;

/**
 * The logo of an environment, which each redirect process keeps. A PNG of at most 8 KiB takes 22 KB of memory in each.
 * It is shown 64 pixels high, and twice that is enough for the screen of a phone.
 */
export const BRAND_LOGO_BYTES_MAX = 8 * 1024;
export const BRAND_LOGO_PIXELS_MAX = 256;
export const BRAND_LOGO_BASE64_CHARACTERS_MAX = 4 * Math.ceil(BRAND_LOGO_BYTES_MAX / 3);
