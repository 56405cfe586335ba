-- Up Migration

-- The schema as the first release has it. From here on it only grows: a change is a migration of its own.

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

-- Partitions are made by name: clicks_20261120 holds that day (UTC). Making one that exists does nothing. Each page of the
-- delivery log has room for the second version that a claim makes of a row: without it no update is heap-only. Vacuum comes
-- early there, for a queue is read where it died last.
CREATE FUNCTION ensure_day_partition(parent text, day date) RETURNS void
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

-- Tenants

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
  -- Those of its URLs that are on the block list, as they are stored in it. Engines get the object without them: so for
  -- templates and metadata APIs too.
  blocked_urls text[] NOT NULL DEFAULT '{}',
  UNIQUE (project_id, name),
  CHECK (link_host <> open_host)
);
-- Whether any environment lists the origin of a preflight, which comes without a key.
CREATE INDEX environments_web_origins ON environments USING gin (web_origins);

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
  -- Of a request whose JSON members may come in any order (control-plane/http/canonical-json.ts). Null in rows of a release
  -- that compares bodies byte for byte, which `fingerprint` still serves.
  canonical_fingerprint bytea,
  PRIMARY KEY (key_id, idempotency_key)
);
CREATE INDEX idempotency_keys_age ON idempotency_keys (created_at);

-- Links

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
  -- The `expires_at` that subscribers were told of by `link.disabled`. Where it is another than the link's own, they have not
  -- been told: so an expiry that was moved, by any release, is told of again.
  told_expires_at timestamptz,
  CHECK ((state = 'deleted') = (deleted_at IS NOT NULL)),
  -- A deleted link keeps its row, and so its path, for the 90 days of its reservation.
  UNIQUE (environment_id, path)
);
CREATE INDEX links_newest ON links (environment_id, id DESC) WHERE state <> 'deleted';
CREATE INDEX links_expiry_untold ON links (expires_at) WHERE state = 'active' AND told_expires_at IS DISTINCT FROM expires_at;
-- Deleted links are found by their time, once it is over.
CREATE INDEX links_deleted ON links (deleted_at) WHERE state = 'deleted';
-- Filters of the list of links. Each index holds only the links it is about, so that an ordinary link is in none of them.
CREATE INDEX links_campaign ON links (environment_id, campaign, id DESC) WHERE campaign IS NOT NULL AND state <> 'deleted';
CREATE INDEX links_stopped ON links (environment_id, state, id DESC) WHERE state IN ('disabled', 'blocked');
CREATE INDEX links_expiring ON links (environment_id, id DESC) WHERE state = 'active' AND expires_at IS NOT NULL;

CREATE TABLE campaigns (
  id text COLLATE "C" PRIMARY KEY,
  environment_id text COLLATE "C" NOT NULL REFERENCES environments (id),
  key text COLLATE "C" NOT NULL,
  name text NOT NULL,
  utm_source text,
  utm_medium text,
  utm_campaign text,
  utm_term text,
  utm_content text,
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'ended')),
  starts_at timestamptz,
  ends_at timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  UNIQUE (environment_id, key)
);
CREATE INDEX campaigns_newest ON campaigns (environment_id, id DESC);
-- Campaigns whose end has come and was not told yet.
CREATE INDEX campaigns_due ON campaigns (ends_at) WHERE status = 'active' AND ends_at IS NOT NULL;

CREATE TABLE domains (
  id text COLLATE "C" PRIMARY KEY,
  environment_id text COLLATE "C" NOT NULL REFERENCES environments (id),
  hostname text COLLATE "C" NOT NULL,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'verified', 'failed')),
  -- Value of the TXT record that proves the domain is the customer's. Public once it is set.
  txt_value text NOT NULL,
  last_checked_at timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  -- What the last check found where it did not find the record.
  failure_reason text CHECK (failure_reason IN ('record_missing', 'record_differs', 'dns_error', 'taken')),
  -- The first of the checks in a row that did not find the record of a verified domain.
  missing_since timestamptz,
  -- Null: the job checks it no more.
  next_check_at timestamptz,
  UNIQUE (environment_id, hostname)
);
-- Many may claim a host name, one can prove it.
CREATE UNIQUE INDEX domains_verified ON domains (hostname) WHERE status = 'verified';
CREATE INDEX domains_newest ON domains (environment_id, id DESC);
CREATE INDEX domains_due ON domains (next_check_at) WHERE next_check_at IS NOT NULL;

-- What no link may lead to, as the operator imported it, and how far the links are checked against it.

CREATE TABLE blocklist_lists (
  name text COLLATE "C" PRIMARY KEY,
  format text NOT NULL CHECK (format IN ('hosts', 'plain', 'urlhaus')),
  entries integer NOT NULL,
  imported_at timestamptz NOT NULL
);

-- A host, or a URL without its scheme (shared/resolve/blocklist.ts). One key may stand on several lists.
CREATE TABLE blocklist_entries (
  key text COLLATE "C" NOT NULL,
  list text COLLATE "C" NOT NULL REFERENCES blocklist_lists ON DELETE CASCADE,
  PRIMARY KEY (key, list)
);

CREATE INDEX blocklist_entries_list ON blocklist_entries (list);

-- One scan of all links at a time, in steps that any control plane may take. `cursor` is the last link looked at, null
-- where no scan is under way.
CREATE TABLE blocklist_scan (
  singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
  changed_at timestamptz,
  began_at timestamptz,
  cursor text COLLATE "C"
);

INSERT INTO blocklist_scan DEFAULT VALUES;

-- Templates and the metadata of their items

-- A key is never free again: the row of an archived type stays, and with it the unique index.
CREATE TABLE resource_types (
  id text COLLATE "C" PRIMARY KEY,
  environment_id text COLLATE "C" NOT NULL REFERENCES environments (id),
  key text COLLATE "C" NOT NULL CHECK (key ~ '^[a-z][a-z0-9_-]{0,63}$'),
  name text NOT NULL,
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'archived')),
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  UNIQUE (environment_id, key),
  -- What belongs to a type refers to both, and so cannot belong to a type of another environment.
  UNIQUE (environment_id, id)
);

-- json, not jsonb: what a customer stored is given back with its own order of members.
CREATE TABLE url_templates (
  id text COLLATE "C" PRIMARY KEY,
  environment_id text COLLATE "C" NOT NULL REFERENCES environments (id),
  resource_type_id text COLLATE "C" NOT NULL,
  path_pattern text COLLATE "C" NOT NULL,
  id_format json NOT NULL,
  deep_link_path text NOT NULL,
  data json,
  redirects json NOT NULL DEFAULT '{}',
  allow_param_passthrough boolean NOT NULL DEFAULT false,
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'disabled', 'archived')),
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  blocked_urls text[] NOT NULL DEFAULT '{}',
  FOREIGN KEY (environment_id, resource_type_id) REFERENCES resource_types (environment_id, id)
);
CREATE INDEX url_templates_newest ON url_templates (environment_id, id DESC);
CREATE INDEX url_templates_of_type ON url_templates (resource_type_id, id DESC);
-- Overlaps are found by the service, under the environment's lock; the plainest of them is impossible here as well.
CREATE UNIQUE INDEX url_templates_pattern ON url_templates (environment_id, path_pattern) WHERE status <> 'archived';

-- One configuration a resource type. The credential is sealed with AES-256-GCM, bound to this row; its hint is what may be shown.
CREATE TABLE metadata_apis (
  id text COLLATE "C" PRIMARY KEY,
  environment_id text COLLATE "C" NOT NULL REFERENCES environments (id),
  resource_type_id text COLLATE "C" NOT NULL UNIQUE,
  -- Raised by every PUT. Answers belong to a generation: a new one starts with an empty cache at once, however large the old one was.
  generation integer NOT NULL DEFAULT 1,
  status text NOT NULL CHECK (status IN ('active', 'disabled')),
  url_template text NOT NULL,
  auth_type text NOT NULL CHECK (auth_type IN ('none', 'bearer', 'api_key_header')),
  header_name text,
  secret bytea,
  secret_hint text,
  headers json NOT NULL,
  timeout_ms integer NOT NULL,
  ttl_seconds integer NOT NULL,
  negative_ttl_seconds integer NOT NULL,
  stale_if_error_seconds integer NOT NULL,
  max_concurrency integer NOT NULL,
  max_requests_per_minute integer NOT NULL,
  field_mapping json NOT NULL,
  field_defaults json NOT NULL,
  required_fields text[] NOT NULL,
  status_values json NOT NULL,
  allowed_image_hosts text[] NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  blocked_urls text[] NOT NULL DEFAULT '{}',
  FOREIGN KEY (environment_id, resource_type_id) REFERENCES resource_types (environment_id, id),
  CHECK ((auth_type = 'api_key_header') = (header_name IS NOT NULL)),
  CHECK ((auth_type = 'none') = (secret IS NULL)),
  CHECK (secret IS NOT NULL OR secret_hint IS NULL)
);

-- The memory that all engines share. A row with an outcome is an answer; one without is what an invalidation leaves
-- behind, so that a call under way cannot put the old answer back: a process that asks the API reads the item's `invalidation`
-- first (0 without a row), and stores the answer only while it is still the same (INSERT, or UPDATE of a row with that
-- number). No clock is involved. A statement that writes several rows writes them in the order of item_id.
CREATE TABLE metadata_answers (
  resource_type_id text COLLATE "C" NOT NULL REFERENCES resource_types (id),
  generation integer NOT NULL,
  item_id text COLLATE "C" NOT NULL,
  invalidation bigint NOT NULL DEFAULT 0,
  outcome text CHECK (outcome IN ('ok', 'missing')),
  -- What its resource_status means, and the mapped fields; null where the item is missing.
  meaning text CHECK (meaning IN ('published', 'unpublished', 'deleted')),
  metadata json,
  fetched_at timestamptz,
  -- Past this the API is asked again.
  expires_at timestamptz,
  -- Past this the row says nothing: an answer may no longer stand in for a failing API, and no call outlives an invalidation.
  keep_until timestamptz NOT NULL,
  -- The generation comes before the item, so that those of an old one lie side by side.
  PRIMARY KEY (resource_type_id, generation, item_id),
  CHECK ((outcome = 'ok') = (metadata IS NOT NULL AND meaning IS NOT NULL) OR outcome IS NULL),
  CHECK ((outcome IS NULL) = (fetched_at IS NULL) AND (outcome IS NULL) = (expires_at IS NULL))
);
CREATE INDEX metadata_answers_keep_until ON metadata_answers (keep_until);

-- Numbers of invalidations: never the same twice, so that a row that was dropped and made again is not taken for the old one.
CREATE SEQUENCE metadata_invalidations;

-- What engines count, added up by all of them. An interval is a quarter of an hour: the days of every time zone in use
-- begin at one. Latencies are those of the calls, in the four classes of which the contract shows one.
CREATE TABLE metadata_figures (
  resource_type_id text COLLATE "C" NOT NULL REFERENCES resource_types (id),
  interval_start timestamptz NOT NULL,
  previews_served bigint NOT NULL DEFAULT 0,
  previews_from_memory bigint NOT NULL DEFAULT 0,
  previews_from_database bigint NOT NULL DEFAULT 0,
  previews_from_negative_cache bigint NOT NULL DEFAULT 0,
  previews_stale bigint NOT NULL DEFAULT 0,
  previews_fallback bigint NOT NULL DEFAULT 0,
  -- Previews that called the API themselves: not those that waited for another one's call.
  previews_called bigint NOT NULL DEFAULT 0,
  calls_ok bigint NOT NULL DEFAULT 0,
  calls_missing bigint NOT NULL DEFAULT 0,
  calls_error bigint NOT NULL DEFAULT 0,
  calls_timeout bigint NOT NULL DEFAULT 0,
  calls_invalid bigint NOT NULL DEFAULT 0,
  skipped_breaker_open bigint NOT NULL DEFAULT 0,
  skipped_throttled bigint NOT NULL DEFAULT 0,
  latency_ms_sum bigint NOT NULL DEFAULT 0,
  latency_lt_100 bigint NOT NULL DEFAULT 0,
  latency_lt_300 bigint NOT NULL DEFAULT 0,
  latency_lt_1000 bigint NOT NULL DEFAULT 0,
  latency_ge_1000 bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (resource_type_id, interval_start),
  CHECK (extract(epoch FROM interval_start) % 900 = 0)
);

-- What engines follow, and what they say of themselves

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
  -- Rows up to this position are gone; a reader whose cursor is older bootstraps again.
  pruned_position bigint NOT NULL DEFAULT 0
);
INSERT INTO config_feed_state DEFAULT VALUES;

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

-- Engines that call metadata APIs, one row a host. Each says that it is there, every few seconds, so that the limits of an
-- API are shared by those that are; by whom it knows (`members`, itself included) it shares them. One that ends leaves its
-- row until its calls count no more. How far it has followed the feed is what an invalidation waits for.
CREATE TABLE engines (
  id uuid PRIMARY KEY,
  -- Of the process that keeps the row at present: two hosts with a copy of one folder must not take themselves for one.
  session uuid NOT NULL,
  members uuid[] NOT NULL,
  -- Another number each time the row is written: a comparison needs no clock.
  beat bigint NOT NULL DEFAULT 1,
  heartbeat_at timestamptz NOT NULL DEFAULT now(),
  left_at timestamptz,
  -- Feed row up to which it shows nothing that was invalidated; null before it has followed the feed. The epoch is the feed's
  -- own, with what tells the server apart from one that was restored.
  applied_epoch text,
  applied_position bigint,
  -- Number of the newest batch of figures that was added, in the transaction that added it: a batch whose answer was lost
  -- is sent again and not added twice.
  figures_batch bigint NOT NULL DEFAULT 0,
  -- What it says of itself with every beat (shared/base/engine-report.ts): its processes, their parts, its spool. The admin
  -- ports of engines are not reachable for the API; this row is. Null until the first beat.
  report jsonb,
  CHECK ((applied_epoch IS NULL) = (applied_position IS NULL))
) WITH (fillfactor = 50);

-- Events and webhooks

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
-- Lists of events, whole or of one type, newest first.
CREATE INDEX events_newest ON events (environment_id, type, id DESC);

-- One row is one attempt; the log is the queue. due_at is set while the row is queued: for a pending row it is when to send
-- it, for a retrying row when to make the next attempt. It says for good since when a row has been due.
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
  -- Until when a claimed row belongs to its claim. Not due_at, which is indexed: so each claim would be an update of all three
  -- indexes (48 µs a row), and with a lease of its own it is a heap-only update (14 µs).
  leased_until timestamptz,
  -- How often an attempt was claimed. One that ends the thread or the process that sends it would be claimed again for ever:
  -- after some claims it has failed.
  claims smallint NOT NULL DEFAULT 0,
  PRIMARY KEY (id, created_at)
) PARTITION BY RANGE (created_at);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (webhook_id, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX webhook_deliveries_newest ON webhook_deliveries (webhook_id, id DESC);

-- The one door for events: the event and one delivery for each endpoint subscribed to it. Called inside the transaction
-- of what caused the event. Answers how many deliveries were queued. They are due by the database's clock, which is one for
-- all servers: a server whose clock is ahead would otherwise have its deliveries wait, and one whose clock is behind would
-- hide them behind rows that the dispatcher has passed (engine/webhooks/sql.ts).
CREATE FUNCTION insert_events(ids text[], created timestamptz[], environment_ids text[], types text[], bodies text[]) RETURNS bigint
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
-- clicks reads how full a backlog is instead of counting it. A table of its own: the endpoint's row is locked by what
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

-- Clicks become events where somebody is told of them: an endpoint, or, until the time given, a client that lists them.
CREATE TABLE click_listeners (
  environment_id text COLLATE "C" PRIMARY KEY REFERENCES environments (id),
  until timestamptz NOT NULL
);

-- Events that servers and apps report, one partition a day (UTC). The id is that of the event.tracked event.
CREATE TABLE tracked_events (
  id text COLLATE "C" NOT NULL,
  created_at timestamptz NOT NULL,
  environment_id text COLLATE "C" NOT NULL,
  source text NOT NULL CHECK (source IN ('sdk', 'server')),
  name text NOT NULL,
  install_id text COLLATE "C",
  click_id text COLLATE "C",
  value double precision,
  currency text COLLATE "C",
  properties json,
  occurred_at timestamptz NOT NULL,
  PRIMARY KEY (id, created_at)
) PARTITION BY RANGE (created_at);
-- An installation's events are found by it when it is erased.
CREATE INDEX tracked_events_install ON tracked_events (environment_id, install_id) WHERE install_id IS NOT NULL;

-- Clicks

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
  visitor_hash bigint NOT NULL,
  batch_id bigint NOT NULL,              -- which shipping transaction brought it
  user_agent_hash bigint                 -- what the visitor's program calls itself (user_agents)
) PARTITION BY RANGE (occurred_at);
-- Finds the clicks that are not counted yet. They lie at the end of a partition, which 24 bytes for each 128 pages tell;
-- COPY does not notice them. An index by subject would cost COPY more than the rows themselves.
CREATE INDEX clicks_batch ON clicks USING brin (batch_id) WITH (autosummarize = on);

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

-- Texts behind `clicks.user_agent_hash`, the first 8 bytes of their SHA-256. Forgotten with the last click that names them.
CREATE TABLE user_agents (
  user_agent_hash bigint PRIMARY KEY,
  user_agent text NOT NULL,
  last_day date NOT NULL                 -- of a click, in UTC
);

-- Figures counted from the click log (shared/decisions/2026-11-21-figures-of-clicks.md)

-- Batches whose clicks the figures below do not hold yet. Inserted with the clicks, deleted with the counting.
CREATE TABLE click_batches (
  batch_id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  clicks integer NOT NULL,
  from_at timestamptz NOT NULL,          -- first and last click
  to_at timestamptz NOT NULL,
  -- When the clicks were stored: what says since when they wait to be counted. The times of the clicks themselves do not,
  -- after an outage or if a host's clock is wrong. Not that of the transaction's start, since a COPY may take its time.
  stored_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- What a figure is of. `subject_id` is the link, or the resource type of an item; `campaign` the campaign's key; `value`
-- what stands behind the last word of the name.
CREATE TYPE click_dimension AS ENUM (
  'total', 'hour', 'platform', 'country', 'referrer', 'campaign', 'link', 'type', 'item',
  'link_platform', 'link_country', 'link_referrer',
  'campaign_platform', 'campaign_country', 'campaign_referrer', 'campaign_link'
);

-- Clicks of one day of a project. Rows only ever add up: the figure of many days is the sum of its rows.
CREATE TABLE click_figures (
  environment_number integer NOT NULL,
  day date NOT NULL,                     -- the project's
  dimension click_dimension NOT NULL,
  campaign text COLLATE "C" NOT NULL,
  subject_id uuid NOT NULL,
  value text COLLATE "C" NOT NULL,       -- '' where nothing is known
  clicks integer NOT NULL,
  human integer NOT NULL,
  visitors integer NOT NULL,
  PRIMARY KEY (environment_number, dimension, campaign, subject_id, value, day)
) PARTITION BY RANGE (day);

-- What each visitor of the newest days has been counted for, so that no click that comes counts a visitor again.
CREATE TABLE click_visits (
  environment_number integer NOT NULL,
  day date NOT NULL,
  visitor_hash bigint NOT NULL,
  hour_at timestamptz NOT NULL,
  kind text NOT NULL,
  subject_id uuid NOT NULL,
  resource_type_id uuid NOT NULL,
  item_id text COLLATE "C" NOT NULL,
  platform text COLLATE "C" NOT NULL,
  country text COLLATE "C" NOT NULL,
  referrer_host text COLLATE "C" NOT NULL,
  campaign text COLLATE "C" NOT NULL
) PARTITION BY RANGE (day);
CREATE INDEX click_visits_visitor ON click_visits (visitor_hash);

-- Days of which the heads of long lists (links, items, referrers, campaigns, the links of each campaign) are kept: ranges of
-- days that are over, and single days. Where one day is all of them, the counting keeps them true; what is added up over
-- several days goes as soon as a figure of those days changes.
CREATE TABLE click_top_windows (
  environment_number integer NOT NULL,
  from_day date NOT NULL,
  until_day date NOT NULL,
  PRIMARY KEY (environment_number, from_day, until_day)
);

CREATE TABLE click_top_lists (
  list_number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  environment_number integer NOT NULL,
  from_day date NOT NULL,
  until_day date NOT NULL,
  dimension click_dimension NOT NULL,
  list_id text COLLATE "C" NOT NULL,     -- the type of a list of items, the campaign of a list of its links; '' otherwise
  floor bigint NOT NULL,                 -- what is not in the head has no more clicks of people, what is has more; -1 where all is
  UNIQUE (environment_number, from_day, until_day, dimension, list_id),
  FOREIGN KEY (environment_number, from_day, until_day) REFERENCES click_top_windows ON DELETE CASCADE
);

-- Pages are left room: what people click on most is counted up with every batch.
CREATE TABLE click_tops (
  list_number bigint NOT NULL REFERENCES click_top_lists ON DELETE CASCADE,
  subject_id uuid NOT NULL,
  campaign text COLLATE "C" NOT NULL,
  value text COLLATE "C" NOT NULL,
  clicks bigint NOT NULL,
  human bigint NOT NULL,
  visitors bigint NOT NULL,
  PRIMARY KEY (list_number, subject_id, campaign, value)
) WITH (fillfactor = 60);

-- Quarters of an hour from the one of `from_at` to the one of `to_at`, with the day and the hour that a clock in the zone
-- shows. Every offset from UTC and every change of clocks falls on a quarter. An hour begins where the clock shows a full
-- hour or was just changed, so that no two hours are taken for one where the clock goes back.
CREATE FUNCTION local_slots(from_at timestamptz, to_at timestamptz, time_zone text)
RETURNS TABLE (slot_at timestamptz, day date, hour_at timestamptz)
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  WITH clock AS (
    SELECT at AS slot_at, at AT TIME ZONE time_zone AS local_at
    FROM generate_series(date_bin('15 minutes', from_at, 'epoch') - interval '75 minutes', to_at, interval '15 minutes') AS at
  ), marked AS (
    SELECT clock.slot_at, local_at,
      extract(minute FROM local_at) = 0 OR local_at - lag(local_at) OVER (ORDER BY clock.slot_at) <> interval '15 minutes' AS begins
    FROM clock
  ), told AS (
    SELECT marked.slot_at, local_at::date AS day, max(marked.slot_at) FILTER (WHERE begins) OVER (ORDER BY marked.slot_at) AS hour_at
    FROM marked
  )
  SELECT told.slot_at, told.day, told.hour_at FROM told WHERE told.slot_at >= date_bin('15 minutes', from_at, 'epoch')
$$;

-- Apps: which clicks their first opens may be matched to, and the installations that were

-- Clicks of people on phones that no installation has used yet. A row goes in with the click, in the transaction that
-- ships it, and out with the installation that uses it; what is left goes with its day. So a look for candidates reads
-- live rows of one key and nothing else, however many clicks there are.
-- match_key stands for environment, platform, network and version of the system (shared/attribution/match-key.ts); null
-- where a match by them is not to be had. It means something as long as the day's key lives.
CREATE TABLE open_clicks (
  id uuid NOT NULL,
  occurred_at timestamptz NOT NULL,
  environment_number integer NOT NULL,
  platform text NOT NULL,
  kind text NOT NULL,
  subject_id uuid NOT NULL,
  item_id text,
  params text,
  match_key bigint,
  language text,
  model text,
  screen text,
  -- Those with one match key have one network, so that the user agent tells visitors apart.
  user_agent_hash bytea
) PARTITION BY RANGE (occurred_at);
-- Ids begin with the time, so this index grows at its end.
CREATE INDEX open_clicks_id ON open_clicks (id);
CREATE INDEX open_clicks_match ON open_clicks (match_key, occurred_at) WHERE match_key IS NOT NULL;

-- What the page of a click has learnt of the device behind it: Chrome on Android tells a page the version that it leaves
-- out of its requests, and an iPad that calls itself a Mac tells it by its touch screen. Rows may be there before their click.
-- seen_key is the match key that the click has where the page's report came from the network of the click, and match_key the
-- one that an open of this device has (shared/attribution/match-key.ts). The first report of a network counts.
CREATE TABLE click_devices (
  click_id uuid NOT NULL,
  -- The click's time, which its id holds.
  occurred_at timestamptz NOT NULL,
  environment_number integer NOT NULL,
  seen_key bigint NOT NULL,
  match_key bigint NOT NULL,
  model text,
  PRIMARY KEY (click_id, occurred_at, seen_key)
) PARTITION BY RANGE (occurred_at);
CREATE INDEX click_devices_match ON click_devices (match_key, occurred_at);

-- One row for each installation whose first open was reported, with the answer that every retry of it gets.
CREATE TABLE installs (
  environment_id text COLLATE "C" NOT NULL REFERENCES environments (id),
  install_id text COLLATE "C" NOT NULL,
  opened_at timestamptz NOT NULL,
  platform text NOT NULL CHECK (platform IN ('ios', 'android', 'other')),
  os_version text,
  model text,
  attribution text NOT NULL CHECK (attribution IN ('attributed', 'organic')),
  match_type text CHECK (match_type IN ('opened_url', 'play_referrer', 'clipboard', 'probabilistic')),
  reason text NOT NULL,
  click_id uuid UNIQUE,
  answer json NOT NULL,
  PRIMARY KEY (environment_id, install_id),
  CHECK ((attribution = 'attributed') = (match_type IS NOT NULL))
);
-- Rows are deleted once their time is over, and found by it.
CREATE INDEX installs_opened ON installs (opened_at);

-- The first partitions; the periodic job and the flusher make the following ones. Those of figures are made with the first
-- click of their day.
SELECT ensure_day_partition(parent, (now() AT TIME ZONE 'UTC')::date + day)
FROM unnest(ARRAY['clicks', 'events', 'webhook_deliveries', 'tracked_events', 'open_clicks', 'click_devices']) AS parent,
  generate_series(-1, 7) AS day;
