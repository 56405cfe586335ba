-- The second of two processes that made the same day failed (42P07): its to_regclass() still answered from its cache after it had waited for
-- the lock. A statement on pg_inherits sees what the first has committed. There is one lock for all days of a table: with one for each day,
-- two processes waited for each other, because making a day locks the whole table until the transaction ends. Days are dropped under it too.
CREATE OR REPLACE FUNCTION ensure_day_partition(parent text, day date) RETURNS void
LANGUAGE plpgsql SET timezone TO 'UTC' AS $$
DECLARE
  child text := parent || '_' || to_char(day, 'YYYYMMDD');
  storage text := CASE parent
    WHEN 'webhook_deliveries' THEN ' WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05)'
    WHEN 'click_figures' THEN ' WITH (fillfactor = 70)'
    WHEN 'click_breakdowns' THEN ' WITH (fillfactor = 50, toast_tuple_target = 8160)'
    ELSE ''
  END;
BEGIN
  IF to_regclass(child) IS NOT NULL THEN
    RETURN;
  END IF;
  PERFORM pg_advisory_xact_lock(hashtextextended('day_partitions:' || parent, 0));
  IF NOT EXISTS (
    SELECT FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
    WHERE inhparent = to_regclass(parent) AND relname = child
  ) THEN
    EXECUTE format('CREATE TABLE %I PARTITION OF %I FOR VALUES FROM (%L) TO (%L)',
      child, parent, (day::timestamp AT TIME ZONE 'UTC'), ((day + 1)::timestamp AT TIME ZONE 'UTC')) || storage;
  END IF;
END
$$;
