/** Hosts that long links of an environment may name. */
export const LONG_LINK_HOSTS_MAX = 50;
/**
 * Maximum length of the query of a long link. Firebase accepted 7,168 characters in all; servers accept no header line
 * longer than 8 KB.
 */
export const LONG_LINK_CHARACTERS_MAX = 7168;
/**
 * Verdicts on long links that a process caches, each under its URLs, and for how long: some MB at most, and a URL that
 * was just listed may still be followed for this long. Then the visits that may wait for a verdict at the same time,
 * and how long each of them waits.
 */
export const LONG_LINKS_REMEMBERED_MAX = 1000;
export const LONG_LINKS_REMEMBERED_MS = 30_000;
export const LONG_LINKS_WAITING_MAX = 256;
export const LONG_LINK_DEADLINE_MS = 2000;
