/**
 * A feed row says that an object has changed. It is inserted in the statement that changes the object, without a position. After the
 * commit the handler calls the assigner's `poke()`. The row holds nothing of the object: engines read the object's newest state, so
 * any number of rows for one object, in any order, result in the same copy.
 *
 * - `kind` is one of `FEED_KINDS`.
 * - `environment_id` is the environment to which the object belongs; an environment's row names itself.
 * - `object_key` is the key of the object in the engine's store, so that a deleted object can still be found there: a link's path,
 *   or an environment's number as decimal text.
 *
 * One statement saves round trips (3,000 links a second from one client instead of 1,400):
 *
 *     WITH written AS (INSERT INTO links ... RETURNING id, environment_id, path),
 *          fed AS (${FEED_INSERT} SELECT 'link', environment_id, id, path FROM written)
 *     SELECT ... FROM written
 */
export const FEED_INSERT = 'INSERT INTO config_feed (kind, environment_id, object_id, object_key)';

/** Begins the statement that inserts the rows of created links. No call waits until link hosts have followed these. */
export const FEED_INSERT_CREATED = 'INSERT INTO config_feed (is_creation, kind, environment_id, object_id, object_key)';
