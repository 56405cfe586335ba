-- Up Migration

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
  FOREIGN KEY (environment_id, resource_type_id) REFERENCES resource_types (environment_id, id),
  CHECK ((auth_type = 'api_key_header') = (header_name IS NOT NULL)),
  CHECK ((auth_type = 'none') = (secret IS NULL)),
  CHECK (secret IS NOT NULL OR secret_hint IS NULL)
);

-- The memory that all engines share. A row with an outcome is an answer; one without is what an invalidation leaves
-- behind, so that a call under way cannot put the old answer back: whoever asks the API reads the item's `invalidation`
-- first (0 without a row), and stores the answer only while it is still the same (INSERT, or UPDATE of a row with that
-- number). No clock is involved. Whoever writes several rows writes them in the order of item_id.
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

-- Numbers of invalidations: never the same twice, so that a row that was dropped and made anew is not taken for the old one.
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
