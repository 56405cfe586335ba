/**
 * How long the database that engines share is waited for, before the API is called without it: it answers in a
 * millisecond, and half of the shortest time that a bot may be made to wait is left for the API. Once it has been waited
 * for in vain, the second figure, until it has answered again.
 */
export const SHARED_ANSWER_DEADLINE_MS = 50;
export const SHARED_ANSWER_SHORT_DEADLINE_MS = 10;
/** What two round trips to the database of another region add to both, at most. */
export const SHARED_ANSWER_ROUND_TRIP_MS_MAX = 500;

/** How many answers may wait to be written to that database, a few kilobytes each. If there are more, the oldest is not written, and stays on the host. */
export const ANSWERS_UNWRITTEN_MAX = 10_000;
