-- Up Migration

-- Campaigns whose end has come and was not told yet.
CREATE INDEX campaigns_due ON campaigns (ends_at) WHERE status = 'active' AND ends_at IS NOT NULL;

-- Filters of the list of links. Each index holds only the links it is about, so that an ordinary link is in none of them.
CREATE INDEX links_campaign ON links (environment_id, campaign, id DESC) WHERE campaign IS NOT NULL AND state <> 'deleted';
CREATE INDEX links_stopped ON links (environment_id, state, id DESC) WHERE state IN ('disabled', 'blocked');
CREATE INDEX links_expiring ON links (environment_id, id DESC) WHERE state = 'active' AND expires_at IS NOT NULL;

ALTER TABLE domains
  -- What the last check found where it did not find the record.
  ADD COLUMN failure_reason text CHECK (failure_reason IN ('record_missing', 'record_differs', 'dns_error', 'taken')),
  -- The first of the checks in a row that did not find the record of a verified domain.
  ADD COLUMN missing_since timestamptz,
  -- Null: the job checks it no more.
  ADD COLUMN next_check_at timestamptz;
UPDATE domains SET next_check_at = now();
CREATE INDEX domains_due ON domains (next_check_at) WHERE next_check_at IS NOT NULL;

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

SELECT ensure_day_partition('tracked_events', (now() AT TIME ZONE 'UTC')::date + offset_days)
FROM generate_series(-1, 7) AS offset_days;
