-- Up Migration

-- Until when a claimed row belongs to its claim. Not due_at, as before: due_at is indexed, so that each claim was an update
-- of all three indexes (48 µs a row); a lease of its own is a heap-only update (14 µs), and due_at says for good since when
-- a row has been due.
ALTER TABLE webhook_deliveries ADD COLUMN leased_until timestamptz;

-- As before, and with room on each page of the delivery log for the second version that a claim makes of a row: without it
-- no update is heap-only. Vacuum comes early, for a queue is read where it died last.
CREATE OR REPLACE FUNCTION ensure_day_partition(parent text, day date) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  child text := parent || '_' || to_char(day, 'YYYYMMDD');
  storage text := CASE parent
    WHEN 'webhook_deliveries' THEN ' WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05)'
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
$$;

DO $$
DECLARE
  child regclass;
BEGIN
  FOR child IN SELECT inhrelid::regclass FROM pg_inherits WHERE inhparent = 'webhook_deliveries'::regclass LOOP
    EXECUTE format('ALTER TABLE %s SET (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05)', child);
  END LOOP;
END
$$;

-- The one door for events, as before, but for due_at: by the database's clock, which is one for all servers. A server
-- whose clock is ahead would otherwise have its deliveries wait, and one whose clock is behind would hide them behind rows
-- that the dispatcher has passed (engine/webhooks/sql.ts).
CREATE OR REPLACE FUNCTION insert_events(ids text[], created timestamptz[], environment_ids text[], types text[], bodies text[]) RETURNS bigint
LANGUAGE sql VOLATILE AS $$
  WITH given AS (
    SELECT * FROM unnest(ids, created, environment_ids, types, bodies) AS g (id, created_at, environment_id, type, body)
  ), stored AS (
    INSERT INTO events (id, created_at, environment_id, type, body)
    SELECT id, created_at, environment_id, type, body FROM given
  ), queued AS (
    INSERT INTO webhook_deliveries (id, created_at, webhook_id, environment_id, event_id, event_type, kind, attempt, status, due_at)
    SELECT new_id('whd_', given.created_at), date_trunc('milliseconds', given.created_at), endpoint.id, given.environment_id, given.id, given.type, 'automatic', 1, 'pending', clock_timestamp()
    FROM given
    JOIN webhook_endpoints AS endpoint
      ON endpoint.environment_id = given.environment_id AND endpoint.status = 'active' AND given.type = ANY (endpoint.events)
    RETURNING 1
  )
  SELECT count(*) FROM queued
$$;

-- For each endpoint: its deliveries of click.created that are not over, and those that were given up because there were too
-- many or they had waited too long. Kept in the transactions that queue deliveries and end them, so that the shipper of
-- clicks reads how full a backlog is instead of counting it. A table of its own: the endpoint's row is locked by whoever
-- changes it. No foreign key: a click is not refused because an endpoint has just been deleted; the janitor tidies up.
CREATE TABLE webhook_backlogs (
  webhook_id text COLLATE "C" PRIMARY KEY,
  queued bigint NOT NULL DEFAULT 0,
  dropped bigint NOT NULL DEFAULT 0,
  dropped_at timestamptz
) WITH (fillfactor = 20);

-- The door for clicks: as insert_events, but each environment's clicks are numbered, from 0, and an endpoint is sent those
-- below its room. Answers how many deliveries were queued for each endpoint. An event is stored whether or not it is sent.
CREATE FUNCTION insert_click_events(
  ids text[], created timestamptz[], environment_ids text[], numbers integer[], bodies text[], webhook_ids text[], rooms integer[]
) RETURNS TABLE (webhook_id text, queued bigint)
LANGUAGE sql VOLATILE AS $$
  WITH given AS (
    SELECT * FROM unnest(ids, created, environment_ids, numbers, bodies) AS g (id, created_at, environment_id, number, body)
  ), stored AS (
    INSERT INTO events (id, created_at, environment_id, type, body)
    SELECT id, created_at, environment_id, 'click.created', body FROM given
  ), queued AS (
    INSERT INTO webhook_deliveries (id, created_at, webhook_id, environment_id, event_id, event_type, kind, attempt, status, due_at)
    SELECT new_id('whd_', given.created_at), date_trunc('milliseconds', given.created_at), endpoint.id, given.environment_id, given.id, 'click.created', 'automatic', 1, 'pending', clock_timestamp()
    FROM unnest(webhook_ids, rooms) AS audience (webhook_id, room)
    JOIN webhook_endpoints AS endpoint
      ON endpoint.id = audience.webhook_id AND endpoint.status = 'active' AND 'click.created' = ANY (endpoint.events)
    JOIN given ON given.environment_id = endpoint.environment_id AND given.number < audience.room
    RETURNING webhook_deliveries.webhook_id
  )
  SELECT queued.webhook_id, count(*) FROM queued GROUP BY queued.webhook_id
$$;

-- Lists of events, whole or of one type, newest first.
CREATE INDEX events_newest ON events (environment_id, type, id DESC);

-- Clicks become events where somebody is told of them: an endpoint, or until the time given whoever lists them.
CREATE TABLE click_listeners (
  environment_id text COLLATE "C" PRIMARY KEY REFERENCES environments (id),
  until timestamptz NOT NULL
);
