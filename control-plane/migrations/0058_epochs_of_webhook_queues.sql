-- The epoch of an endpoint's queue: raised each time the endpoint is disabled, and copied into each delivery that is queued. What has an
-- earlier epoch than its endpoint is abandoned, also if the endpoint is active again. abandoned_until compared the clock of the machine that
-- queued a delivery with that of the database: with a control plane 31 s behind, 31 s of events were lost after an endpoint was enabled again.
-- swept_epoch is the epoch before which nothing is left in the queue: while it is lower than queue_epoch, the janitor looks for more.
ALTER TABLE webhook_endpoints ADD COLUMN queue_epoch integer NOT NULL DEFAULT 0, ADD COLUMN swept_epoch integer NOT NULL DEFAULT 0;

-- What is queued already has epoch 0, like its endpoint. The release before knows no epochs, and its programs may still run:
--   insert_events and insert_click_events are shared, so that events have their epoch whichever release calls them.
--   Its engine makes rows of next attempts without an epoch. They count as queued in the current epoch, so that they are sent, and are
--   abandoned while their endpoint is not active, as in the release before. With 0 as the default, they would be lost.
--   Its programs disable an endpoint without raising the epoch, and its engine compares none: if the endpoint is enabled again before its queue
--   has been abandoned, the rest is sent, as in the release before.
-- Replays and tests have no epoch: they were requested by hand, and are sent whatever becomes of their endpoint.
ALTER TABLE webhook_deliveries ADD COLUMN queue_epoch integer DEFAULT 0;
ALTER TABLE webhook_deliveries ALTER COLUMN queue_epoch SET DEFAULT NULL;

CREATE OR REPLACE FUNCTION insert_events(ids text[], created timestamptz[], environment_ids text[], types text[], bodies text[]) RETURNS bigint
LANGUAGE sql AS $$
  WITH given AS (
    SELECT * FROM unnest(ids, created, environment_ids, types, bodies) AS g (id, created_at, environment_id, type, body)
  ), stored AS (
    INSERT INTO events (id, created_at, environment_id, type, body)
    SELECT id, created_at, environment_id, type, body FROM given
  ), queued AS (
    INSERT INTO webhook_deliveries (id, created_at, webhook_id, environment_id, event_id, event_type, kind, attempt, status, due_at, queue_epoch)
    SELECT new_id('whd_', given.created_at), date_trunc('milliseconds', given.created_at), endpoint.id, given.environment_id, given.id, given.type, 'automatic', 1, 'pending', clock_timestamp(), endpoint.queue_epoch
    FROM given
    JOIN webhook_endpoints AS endpoint
      ON endpoint.environment_id = given.environment_id AND endpoint.status = 'active' AND given.type = ANY (endpoint.events)
    RETURNING 1
  )
  SELECT count(*) FROM queued
$$;

CREATE OR REPLACE FUNCTION insert_click_events(
  ids text[], created timestamptz[], environment_ids text[], numbers integer[], bodies text[], webhook_ids text[], rooms integer[]
) RETURNS TABLE (webhook_id text, queued bigint)
LANGUAGE sql AS $$
  WITH given AS (
    SELECT * FROM unnest(ids, created, environment_ids, numbers, bodies) AS g (id, created_at, environment_id, number, body)
  ), stored AS (
    INSERT INTO events (id, created_at, environment_id, type, body)
    SELECT id, created_at, environment_id, 'click.created', body FROM given
  ), queued AS (
    INSERT INTO webhook_deliveries (id, created_at, webhook_id, environment_id, event_id, event_type, kind, attempt, status, due_at, queue_epoch)
    SELECT new_id('whd_', given.created_at), date_trunc('milliseconds', given.created_at), endpoint.id, given.environment_id, given.id, 'click.created', 'automatic', 1, 'pending', clock_timestamp(), endpoint.queue_epoch
    FROM unnest(webhook_ids, rooms) AS audience (webhook_id, room)
    JOIN webhook_endpoints AS endpoint
      ON endpoint.id = audience.webhook_id AND endpoint.status = 'active' AND 'click.created' = ANY (endpoint.events)
    JOIN given ON given.environment_id = endpoint.environment_id AND given.number < audience.room
    RETURNING webhook_deliveries.webhook_id
  )
  SELECT queued.webhook_id, count(*) FROM queued GROUP BY queued.webhook_id
$$;

ALTER TABLE webhook_endpoints DROP COLUMN abandoned_until;
