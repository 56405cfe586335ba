/** Contract: saved views of an environment, and the names of them. */
export const VIEWS_MAX = 100;
export const VIEW_NAME_CHARACTERS_MAX = 100;
/**
 * What strangers may ask of shared views: requests of an address a minute; wrong passwords for one view a minute, from
 * all addresses together, in addition to the limit that `PASSWORD_TRIES_OF_MINUTE` sets for each of them; and how long
 * an answer may serve the next reader.
 */
export const SHARED_VIEWS_PER_MINUTE = 120;
export const SHARED_VIEW_TRIES_OF_MINUTE = 100;
export const SHARED_VIEW_REMEMBERED_MS = 10_000;
/**
 * Shared views that a control plane counts at once, of one environment and in total. Each may read the click log for 5
 * s with a connection of the pool, or ask ClickHouse for 25 s.
 */
export const SHARED_VIEWS_OF_ENVIRONMENT_AT_ONCE = 2;
export const SHARED_VIEWS_AT_ONCE = 4;
/** Answers of shared views that are cached in memory. One with a thousand rows takes 100 KB. */
export const SHARED_VIEWS_REMEMBERED = 200;
/** A body with a token and a password. */
export const SHARED_VIEW_BODY_BYTES_MAX = 4096;
