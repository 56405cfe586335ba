/** Hosts that long links of an environment may name. */
export const LONG_LINK_HOSTS_MAX = 50;
/** Of the query of a long link. Firebase took 7,168 in all; servers take no line of a header that is longer than 8 KB. */
export const LONG_LINK_CHARACTERS_MAX = 7168;
/**
 * Judgements of long links that a process remembers, each under its URLs, and for how long: some MB at most, and so late is
 * a URL followed that was listed a moment ago. Visits that wait for one at the same time, and how long each of them does.
 */
export const LONG_LINKS_REMEMBERED_MAX = 1000;
export const LONG_LINKS_REMEMBERED_MS = 30_000;
export const LONG_LINKS_WAITING_MAX = 256;
export const LONG_LINK_DEADLINE_MS = 2000;
