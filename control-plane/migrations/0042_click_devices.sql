-- Up Migration

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

SELECT ensure_day_partition('click_devices', (now() AT TIME ZONE 'UTC')::date + day) FROM generate_series(-1, 7) AS day;
