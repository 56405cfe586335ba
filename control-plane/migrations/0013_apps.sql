-- Up Migration

-- Apps: which clicks the opens of apps may be matched to, and the installations that were.

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
  screen text
) PARTITION BY RANGE (occurred_at);
-- Ids begin with the time, so this index grows at its end.
CREATE INDEX open_clicks_id ON open_clicks (id);
CREATE INDEX open_clicks_match ON open_clicks (match_key, occurred_at) WHERE match_key IS NOT NULL;

SELECT ensure_day_partition('open_clicks', (now() AT TIME ZONE 'UTC')::date + day) FROM generate_series(-1, 7) AS day;

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

-- Whether any environment lists the origin of a preflight, which comes without a key.
CREATE INDEX environments_web_origins ON environments USING gin (web_origins);
