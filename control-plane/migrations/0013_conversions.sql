-- What an installation came from, read out of its answer: also where a control plane of the release before stores it.
ALTER TABLE installs
  ADD COLUMN link_id text COLLATE "C" GENERATED ALWAYS AS (answer #>> '{link,id}') STORED,
  ADD COLUMN campaign text COLLATE "C" GENERATED ALWAYS AS (answer #>> '{link,campaign}') STORED,
  -- What lists go by: it begins with the time.
  ADD COLUMN id text COLLATE "C";
UPDATE installs SET id = new_id('evt_', opened_at);
ALTER TABLE installs ALTER COLUMN id SET DEFAULT new_id('evt_', clock_timestamp());
CREATE INDEX installs_listed ON installs (environment_id, id);
CREATE INDEX installs_counted ON installs (environment_id, opened_at) INCLUDE (link_id, campaign, match_type);

-- What an event is counted for. Null of events that were stored before.
ALTER TABLE tracked_events
  ADD COLUMN link_id text COLLATE "C",
  ADD COLUMN campaign text COLLATE "C";
CREATE INDEX tracked_events_listed ON tracked_events (environment_id, id);
CREATE INDEX tracked_events_counted ON tracked_events (environment_id, occurred_at) INCLUDE (name, link_id, campaign, value, currency);

-- Opens of known installations through a link, to be counted. Each is an event as well, which is kept for a shorter time.
CREATE TABLE app_opens (
  id text COLLATE "C" NOT NULL,
  created_at timestamptz NOT NULL,
  environment_id text COLLATE "C" NOT NULL,
  install_id text COLLATE "C" NOT NULL,
  link_id text COLLATE "C",
  campaign text COLLATE "C",
  PRIMARY KEY (id, created_at)
) PARTITION BY RANGE (created_at);
CREATE INDEX app_opens_install ON app_opens (environment_id, install_id) INCLUDE (link_id, campaign, created_at);
SELECT ensure_day_partition('app_opens', (current_date + ahead)::date) FROM generate_series(-1, 3) AS ahead;

-- Finds a click by its id, which begins with its time: clicks lie in the log nearly in that order.
CREATE INDEX clicks_id ON clicks USING brin (id) WITH (autosummarize = on);
CREATE OR REPLACE FUNCTION summarize_clicks(days date[]) RETURNS void
LANGUAGE plpgsql SET lock_timeout = '50ms' AS $$
DECLARE
  index regclass;
BEGIN
  FOR index IN
    SELECT pg_index.indexrelid
    FROM unnest(days) AS day
    JOIN pg_index ON pg_index.indrelid = to_regclass('clicks_' || to_char(day, 'YYYYMMDD'))
    JOIN pg_inherits ON pg_inherits.inhrelid = pg_index.indexrelid
      AND pg_inherits.inhparent IN ('clicks_batch'::regclass, 'clicks_id'::regclass)
  LOOP
    BEGIN
      PERFORM brin_summarize_new_values(index);
    EXCEPTION WHEN lock_not_available THEN
      NULL;
    END;
  END LOOP;
END
$$;

-- What a click was of; nothing if it is not in the log. A partition that was not analyzed yet looks as if the index would take as long as
-- reading all of it. Planned with the time at hand, it looks into one day alone.
CREATE FUNCTION find_click(click_id uuid, at timestamptz, number integer)
RETURNS TABLE (kind text, subject_id uuid, campaign text)
LANGUAGE plpgsql STABLE SET enable_seqscan = off AS $$
BEGIN
  RETURN QUERY EXECUTE 'SELECT kind, subject_id, campaign FROM clicks WHERE id = $1 AND occurred_at = $2 AND environment_number = $3 LIMIT 1'
    USING click_id, at, number;
END
$$;

-- Whether destinations are told the click.
ALTER TABLE environments ADD COLUMN append_click_id boolean NOT NULL DEFAULT false;
