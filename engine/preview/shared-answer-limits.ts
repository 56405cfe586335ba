/**
 * How long to wait for the database that engines share, before the API is called without it. The database answers in a
 * millisecond, and half of the shortest time that a bot may be made to wait is left for the API. After a wait in vain the second
 * figure applies, until the database has answered again.
 */
export const SHARED_ANSWER_DEADLINE_MS = 50;
export const SHARED_ANSWER_SHORT_DEADLINE_MS = 10;
/** What two round trips to a database in another region may add to each of them, at most. */
export const SHARED_ANSWER_ROUND_TRIP_MS_MAX = 500;

/**
 * The maximum number of answers that may wait to be written to that database, a few kilobytes each. If there are more, the oldest
 * is not written, and stays on the host.
 */
export const ANSWERS_UNWRITTEN_MAX = 10_000;
