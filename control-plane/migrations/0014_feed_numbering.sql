-- Gives positions to committed feed rows that have none, at most rows_max of them, and notifies. In PL/pgSQL because its
-- statements keep their plans and each takes its own snapshot: that of the numbering must be younger than the lock, or two
-- assigners would give one position twice.
--
-- What is visible under the lock and has no position is numbered in the order of ids, from last_position on, without gaps.
-- A row of a transaction that commits later simply gets a later position; nothing can be overtaken, because a position is
-- given only to what is already committed. The one NOTIFY of the transaction stands for all its rows: sent by each writer
-- it would take PostgreSQL's one notification lock in each writer's commit.
--
-- The commit is synchronous, whatever the server's default: engines remember positions for good.
CREATE FUNCTION number_feed(lock_key bigint, channel text, from_id bigint, rows_max integer, OUT numbered integer, OUT last_id bigint)
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  head bigint;
BEGIN
  PERFORM set_config('synchronous_commit', 'on', true), pg_advisory_xact_lock(lock_key);
  SELECT last_position INTO STRICT head FROM config_feed_state;
  WITH unnumbered AS (
    SELECT id, row_number() OVER (ORDER BY id) AS rank
    FROM (SELECT id FROM config_feed WHERE position IS NULL AND id >= from_id ORDER BY id LIMIT rows_max) AS oldest
  ), given AS (
    UPDATE config_feed SET position = head + unnumbered.rank
    FROM unnumbered
    WHERE config_feed.id = unnumbered.id
    RETURNING config_feed.id
  )
  SELECT count(*), max(id) INTO numbered, last_id FROM given;
  IF numbered > 0 THEN
    UPDATE config_feed_state SET last_position = head + numbered;
    PERFORM pg_notify(channel, json_build_object('position', head + numbered)::text);
  END IF;
END
$$;
