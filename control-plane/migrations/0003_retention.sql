-- Up Migration

-- Drops the day partitions of `parent` that end before or on `before`. Answers how many are gone. Waits 2 s at most for
-- the lock on the parent, so that a long query never makes every writer queue behind a drop; the next run tries again.
CREATE FUNCTION drop_day_partitions(parent text, before date) RETURNS integer
LANGUAGE plpgsql SET lock_timeout = '2s' AS $$
DECLARE
  child text;
  dropped integer := 0;
BEGIN
  FOR child IN
    SELECT relation.relname
    FROM pg_inherits AS link
    JOIN pg_class AS relation ON relation.oid = link.inhrelid
    WHERE link.inhparent = to_regclass(parent) AND relation.relname ~ ('^' || parent || '_[0-9]{8}$')
      AND to_date(right(relation.relname, 8), 'YYYYMMDD') < before
    ORDER BY relation.relname
  LOOP
    EXECUTE format('DROP TABLE %I', child);
    dropped := dropped + 1;
  END LOOP;
  RETURN dropped;
END
$$;
