-- Bounds of partitions are instants in UTC. Where the server's time zone is west of Greenwich, they became the day before for tables whose
-- days are dates, and each partition held the day before the one of its name.
ALTER FUNCTION ensure_day_partition(text, date) SET timezone TO 'UTC';

-- Those that were made so get the name of their day, the oldest first: its name was that of the one before.
DO $$
DECLARE
  wrong record;
BEGIN
  FOR wrong IN
    SELECT child.relname AS name, parent.relname || '_' || to_char(bound.day, 'YYYYMMDD') AS right_name
    FROM pg_partitioned_table AS partitioned
    JOIN pg_class AS parent ON parent.oid = partitioned.partrelid AND parent.relnamespace = current_schema::regnamespace
    JOIN pg_attribute AS key ON key.attrelid = parent.oid AND key.attnum = partitioned.partattrs[0] AND key.atttypid = 'date'::regtype
    JOIN pg_inherits AS link ON link.inhparent = parent.oid
    JOIN pg_class AS child ON child.oid = link.inhrelid
    CROSS JOIN LATERAL (SELECT substring(pg_get_expr(child.relpartbound, child.oid) FROM $x$FROM \('(\d{4}-\d\d-\d\d)'\)$x$)::date AS day) AS bound
    WHERE child.relname ~ ('^' || parent.relname || '_[0-9]{8}$') AND child.relname <> parent.relname || '_' || to_char(bound.day, 'YYYYMMDD')
    ORDER BY parent.relname, bound.day
  LOOP
    EXECUTE format('ALTER TABLE %I RENAME TO %I', wrong.name, wrong.right_name);
  END LOOP;
END
$$;
