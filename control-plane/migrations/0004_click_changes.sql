-- Says in the index of the click log which pages hold which batches, for the partitions of days in UTC: what was stored since the
-- last vacuum would be read as a whole otherwise, for every batch that is counted. Waits for nothing: where a vacuum is at work,
-- it does the same.
CREATE FUNCTION summarize_clicks(days date[]) RETURNS void
LANGUAGE plpgsql SET lock_timeout = '50ms' AS $$
DECLARE
  index regclass;
BEGIN
  FOR index IN
    SELECT pg_index.indexrelid
    FROM unnest(days) AS day
    JOIN pg_index ON pg_index.indrelid = to_regclass('clicks_' || to_char(day, 'YYYYMMDD'))
    JOIN pg_inherits ON pg_inherits.inhrelid = pg_index.indexrelid AND pg_inherits.inhparent = 'clicks_batch'::regclass
  LOOP
    BEGIN
      PERFORM brin_summarize_new_values(index);
    EXCEPTION WHEN lock_not_available THEN
      NULL;
    END;
  END LOOP;
END
$$;

-- Lines of a breakdown that changed after its row in click_breakdowns was written, by the number of the change: a line of a later
-- one replaces that of an earlier one and of the row. Links with hundreds of referrers would be written as a whole otherwise,
-- every few seconds. From time to time the row is written again, and its changes go.
CREATE TABLE click_breakdown_changes (
  environment_number integer NOT NULL,
  day date NOT NULL,
  campaign text COLLATE "C" NOT NULL,
  subject_id uuid NOT NULL,
  change integer NOT NULL,
  figures text NOT NULL,
  PRIMARY KEY (environment_number, campaign, subject_id, day, change)
) PARTITION BY RANGE (day);
SELECT ensure_day_partition('click_breakdown_changes', day) FROM (SELECT DISTINCT day FROM click_breakdowns) AS kept;
