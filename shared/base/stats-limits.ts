/**
 * How long a call for statistics may take if clicks are in ClickHouse: less than the 30 s that our SDKs, the dashboard
 * and proxies wait for.
 */
export const STATS_CALL_MS_MAX = 25_000;
/** A call that has taken this long is a long one: as long as a statement of PostgreSQL may take. */
export const STATS_LONG_AFTER_MS = 5_000;
/** Long calls that a control plane has under way at once, of one environment and in total. */
export const STATS_LONG_OF_ENVIRONMENT_AT_ONCE = 2;
export const STATS_LONG_AT_ONCE = 4;
/**
 * Calls that a control plane answers at once for an environment if clicks are in PostgreSQL. Those that count columns take cores and memory
 * from all others: with twelve of them in the event loop, calls of other environments took seconds, and they themselves a third longer.
 */
export const STATS_OF_ENVIRONMENT_AT_ONCE = 3;
