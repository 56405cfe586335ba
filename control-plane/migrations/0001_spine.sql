-- Up Migration

-- Ids are a prefix and a lower-case ULID, compared byte by byte (COLLATE "C"), so that ordering by id is ordering by
-- time of creation. The click log stores the same 128 bits as uuid: half the bytes, the same order.

CREATE FUNCTION new_id(prefix text, at timestamptz) RETURNS text
LANGUAGE sql VOLATILE PARALLEL SAFE AS $$
  -- 48 bits of milliseconds, then 80 random bits: bytes 0 to 5 and 10 to 13 of a version 4 uuid, which hold no version bits.
  WITH bits AS (
    SELECT ('00'
      || (floor(extract(epoch FROM at) * 1000)::bigint)::bit(48)::text
      || ('x' || encode(substring(u FROM 1 FOR 6) || substring(u FROM 11 FOR 4), 'hex'))::bit(80)::text) AS b
    FROM uuid_send(gen_random_uuid()) AS u
  )
  SELECT prefix || string_agg(substr('0123456789abcdefghjkmnpqrstvwxyz', substr(b, 5 * n + 1, 5)::bit(5)::integer + 1, 1), '' ORDER BY n)
  FROM bits, generate_series(0, 25) AS n
$$;

CREATE TABLE projects (
  id text COLLATE "C" PRIMARY KEY,
  name text NOT NULL,
  time_zone text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE environments (
  id text COLLATE "C" PRIMARY KEY,
  -- A short number for the click log and the engine's keys.
  number integer GENERATED ALWAYS AS IDENTITY UNIQUE,
  project_id text COLLATE "C" NOT NULL REFERENCES projects (id),
  name text NOT NULL CHECK (name IN ('test', 'live')),
  link_host text NOT NULL UNIQUE,
  open_host text NOT NULL UNIQUE,
  interstitial boolean NOT NULL DEFAULT true,
  default_destinations json NOT NULL DEFAULT '{}',
  ios_apps json NOT NULL DEFAULT '[]',
  android_apps json NOT NULL DEFAULT '[]',
  web_origins text[] NOT NULL DEFAULT '{}',
  attribution_window_minutes integer NOT NULL DEFAULT 120 CHECK (attribution_window_minutes BETWEEN 1 AND 10080),
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (project_id, name),
  CHECK (link_host <> open_host)
);

-- Only the SHA-256 of a key is kept: 190 random bits need no slow hash.
CREATE TABLE api_keys (
  id text COLLATE "C" PRIMARY KEY,
  environment_id text COLLATE "C" NOT NULL REFERENCES environments (id),
  kind text NOT NULL CHECK (kind IN ('secret', 'publishable')),
  name text NOT NULL,
  scopes text[] NOT NULL,
  hash bytea NOT NULL UNIQUE CHECK (octet_length(hash) = 32),
  prefix text NOT NULL,
  last4 text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  revoked_at timestamptz
);
CREATE INDEX api_keys_environment ON api_keys (environment_id, id);

-- json, not jsonb: what a customer stored is given back with its own order of members.
CREATE TABLE links (
  id text COLLATE "C" PRIMARY KEY,
  environment_id text COLLATE "C" NOT NULL REFERENCES environments (id),
  path text COLLATE "C" NOT NULL,
  state text NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'disabled', 'blocked', 'deleted')),
  deep_link_path text NOT NULL,
  data json,
  campaign text COLLATE "C",
  utm_source text,
  utm_medium text,
  utm_campaign text,
  utm_term text,
  utm_content text,
  allow_param_passthrough boolean NOT NULL DEFAULT false,
  destinations json NOT NULL DEFAULT '{}',
  domain text,
  expires_at timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  deleted_at timestamptz,
  CHECK ((state = 'deleted') = (deleted_at IS NOT NULL)),
  -- A deleted link keeps its row, and so its path, for the 90 days of its reservation.
  UNIQUE (environment_id, path)
);
CREATE INDEX links_newest ON links (environment_id, id DESC) WHERE state <> 'deleted';

-- Configuration feed. A handler inserts its row with no position in the transaction that changes the object; the
-- assigner numbers what is committed, without gaps and in one order for every reader.
CREATE TABLE config_feed (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  position bigint,
  kind text NOT NULL,
  environment_id text COLLATE "C" NOT NULL,
  object_id text COLLATE "C" NOT NULL,
  -- What the engine's store knows the object by, so that a removed row can still be found there: a link's path.
  object_key text COLLATE "C",
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX config_feed_position ON config_feed (position) WHERE position IS NOT NULL;
CREATE INDEX config_feed_unassigned ON config_feed (id) WHERE position IS NULL;

CREATE TABLE config_feed_state (
  singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
  epoch uuid NOT NULL DEFAULT gen_random_uuid(),
  last_position bigint NOT NULL DEFAULT 0,
  -- Rows up to this position are gone; a reader whose cursor is older bootstraps anew.
  pruned_position bigint NOT NULL DEFAULT 0
);
INSERT INTO config_feed_state DEFAULT VALUES;

-- Click log, one partition a day (UTC). No unique index: the segment offset in click_segments, written in the same
-- transaction, is what makes a click appear once.
CREATE TABLE clicks (
  id uuid NOT NULL,
  occurred_at timestamptz NOT NULL,
  environment_number integer NOT NULL,
  kind text NOT NULL,                    -- link | template
  subject_id uuid NOT NULL,              -- the link's or the template's id
  resource_type_id uuid,
  item_id text,
  host text NOT NULL,
  path text NOT NULL,
  platform text NOT NULL,                -- ios | android | desktop | other
  os_version text,
  in_app_browser text,
  bot boolean NOT NULL,
  bot_reason text,
  country text,
  referrer_host text,
  campaign text,
  utm_source text,
  utm_medium text,
  utm_campaign text,
  utm_term text,
  utm_content text,
  params text,
  params_dropped boolean NOT NULL,
  destination text,
  address_hash bytea,
  visitor_hash bigint NOT NULL
) PARTITION BY RANGE (occurred_at);
CREATE INDEX clicks_subject ON clicks (subject_id, occurred_at);

-- How far each spool segment is stored. A row outlives its file, so that a segment that comes back is not stored twice.
CREATE TABLE click_segments (
  segment_id uuid PRIMARY KEY,
  shipped_bytes bigint NOT NULL,
  shipped_clicks bigint NOT NULL,
  finished_at timestamptz
);

-- Keys of the visitor hash and the address hash, one of each a day: of the project for the visitor hash, so that a visitor
-- is counted once on each of its days, of UTC for the address hash. Deleting a row makes that day's hashes meaningless,
-- which is the point.
CREATE TABLE hash_keys (
  day date PRIMARY KEY,
  visitor_key bytea NOT NULL,
  address_key bytea NOT NULL
);

CREATE TABLE webhook_endpoints (
  id text COLLATE "C" PRIMARY KEY,
  environment_id text COLLATE "C" NOT NULL REFERENCES environments (id),
  url text NOT NULL,
  description text,
  events text[] NOT NULL,
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'disabled', 'auto_disabled')),
  disabled_at timestamptz,
  disabled_reason text,
  failing_since timestamptz,
  -- Sealed with AES-256-GCM, bound to this row.
  secret bytea NOT NULL,
  previous_secret bytea,
  previous_secret_expires_at timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
CREATE INDEX webhook_endpoints_environment ON webhook_endpoints (environment_id, id DESC);

-- Events hold the text that is signed: jsonb would reorder members.
CREATE TABLE events (
  id text COLLATE "C" NOT NULL,
  created_at timestamptz NOT NULL,
  environment_id text COLLATE "C" NOT NULL,
  type text NOT NULL,
  body text NOT NULL,
  PRIMARY KEY (id, created_at)
) PARTITION BY RANGE (created_at);

-- One row is one attempt; the log is the queue. due_at is set while the row is queued: for a pending row it is when to
-- send it, for a retrying row when to make the next attempt, and while a worker holds the row it is the end of its lease.
CREATE TABLE webhook_deliveries (
  id text COLLATE "C" NOT NULL,
  created_at timestamptz NOT NULL,
  webhook_id text COLLATE "C" NOT NULL,
  environment_id text COLLATE "C" NOT NULL,
  event_id text COLLATE "C" NOT NULL,
  event_type text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('automatic', 'replay', 'test')),
  attempt integer NOT NULL,
  status text NOT NULL CHECK (status IN ('pending', 'succeeded', 'failed', 'retrying', 'abandoned')),
  response_code integer,
  response_body text,
  latency_ms integer,
  error text,
  next_attempt_at timestamptz,
  due_at timestamptz,
  claim_id uuid,
  PRIMARY KEY (id, created_at)
) PARTITION BY RANGE (created_at) ;
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (webhook_id, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX webhook_deliveries_newest ON webhook_deliveries (webhook_id, id DESC);

-- The one door for events: the event and one delivery for each endpoint subscribed to it. Called inside the transaction
-- of what caused the event. Answers how many deliveries were queued.
CREATE FUNCTION insert_events(ids text[], created timestamptz[], environment_ids text[], types text[], bodies text[]) RETURNS bigint
LANGUAGE sql VOLATILE AS $$
  WITH given AS (
    SELECT * FROM unnest(ids, created, environment_ids, types, bodies) AS g (id, created_at, environment_id, type, body)
  ), stored AS (
    INSERT INTO events (id, created_at, environment_id, type, body)
    SELECT id, created_at, environment_id, type, body FROM given
  ), queued AS (
    INSERT INTO webhook_deliveries (id, created_at, webhook_id, environment_id, event_id, event_type, kind, attempt, status, due_at)
    SELECT new_id('whd_', given.created_at), date_trunc('milliseconds', given.created_at), endpoint.id, given.environment_id, given.id, given.type, 'automatic', 1, 'pending', given.created_at
    FROM given
    JOIN webhook_endpoints AS endpoint
      ON endpoint.environment_id = given.environment_id AND endpoint.status = 'active' AND given.type = ANY (endpoint.events)
    RETURNING 1
  )
  SELECT count(*) FROM queued
$$;

-- A key is bound to its owner and to the request it was first sent with; the answer is stored in the transaction of the
-- effect, so that a crash between commit and answer still replays it.
CREATE TABLE idempotency_keys (
  key_id text COLLATE "C" NOT NULL REFERENCES api_keys (id) ON DELETE CASCADE,
  idempotency_key uuid NOT NULL,
  fingerprint bytea NOT NULL,
  status integer NOT NULL,
  headers json NOT NULL,
  body bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (key_id, idempotency_key)
);
CREATE INDEX idempotency_keys_age ON idempotency_keys (created_at);

-- Partitions are made by name: clicks_20261120 holds that day (UTC). Making one that exists does nothing.
CREATE FUNCTION ensure_day_partition(parent text, day date) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  child text := parent || '_' || to_char(day, 'YYYYMMDD');
BEGIN
  IF to_regclass(child) IS NOT NULL THEN
    RETURN;
  END IF;
  -- Two processes may meet here; the lock makes the second find the first one's partition.
  PERFORM pg_advisory_xact_lock(hashtextextended('day_partition:' || child, 0));
  IF to_regclass(child) IS NULL THEN
    EXECUTE format('CREATE TABLE %I PARTITION OF %I FOR VALUES FROM (%L) TO (%L)',
      child, parent, (day::timestamp AT TIME ZONE 'UTC'), ((day + 1)::timestamp AT TIME ZONE 'UTC'));
  END IF;
END
$$;

-- The first partitions; the periodic job and the flusher make the following ones.
SELECT ensure_day_partition(parent, (now() AT TIME ZONE 'UTC')::date + offset_days)
FROM unnest(ARRAY['clicks', 'events', 'webhook_deliveries']) AS parent, generate_series(-1, 7) AS offset_days;
