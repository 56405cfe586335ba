-- Clicks are counted in sixteen shards of the environments, each by one counter at a time, which remembers visitors in memory.
-- click_visits is of the release before, whose control planes may still run; it goes with the next release.
CREATE TABLE click_shards (
  shard smallint PRIMARY KEY CHECK (shard BETWEEN 0 AND 15),
  version bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50);
INSERT INTO click_shards (shard) SELECT generate_series(0, 15);

-- -1 stands for all shards: so say engines that were started before this migration.
ALTER TABLE click_batches ADD COLUMN shard smallint NOT NULL DEFAULT -1;
ALTER TABLE click_batches DROP CONSTRAINT click_batches_pkey;
CREATE INDEX click_batches_shard ON click_batches (batch_id, shard);

-- Figures of a link or a campaign by platform, country and referrer: a line for each, and a row for all of a day.
CREATE TABLE click_breakdowns (
  environment_number integer NOT NULL,
  day date NOT NULL,
  campaign text COLLATE "C" NOT NULL,
  subject_id uuid NOT NULL,
  figures text NOT NULL,
  PRIMARY KEY (environment_number, campaign, subject_id, day)
) PARTITION BY RANGE (day);
ALTER TABLE click_breakdowns ALTER COLUMN figures SET STORAGE EXTERNAL;

-- Rows that are updated again and again need room on their page.
CREATE OR REPLACE FUNCTION ensure_day_partition(parent text, day date)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
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
  -- Two processes may meet here; the lock makes the second find the first one's partition.
  PERFORM pg_advisory_xact_lock(hashtextextended('day_partition:' || child, 0));
  IF to_regclass(child) IS NULL THEN
    EXECUTE format('CREATE TABLE %I PARTITION OF %I FOR VALUES FROM (%L) TO (%L)',
      child, parent, (day::timestamp AT TIME ZONE 'UTC'), ((day + 1)::timestamp AT TIME ZONE 'UTC')) || storage;
  END IF;
END
$function$;

SELECT ensure_day_partition('click_breakdowns', day) FROM (SELECT DISTINCT day FROM click_figures) AS kept;
INSERT INTO click_breakdowns (environment_number, day, campaign, subject_id, figures)
SELECT environment_number, day, campaign, subject_id,
  string_agg(concat_ws(' ', split_part(dimension::text, '_', 2), clicks, human, visitors, value), E'\n')
FROM click_figures
WHERE dimension IN ('link_platform', 'link_country', 'link_referrer', 'campaign_platform', 'campaign_country', 'campaign_referrer')
GROUP BY environment_number, day, campaign, subject_id;
