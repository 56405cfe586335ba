-- Rules of links: when, where and how often they lead, and for whom.
ALTER TABLE links
  ADD COLUMN active_from timestamptz,
  ADD COLUMN max_clicks integer,
  -- The hash of it (shared/secrets/password-hash.ts).
  ADD COLUMN password text,
  -- {"DE": "https://…"}: where visitors of a country are led in a browser.
  ADD COLUMN geo json,
  ADD COLUMN interstitial boolean,
  -- When the last of `max_clicks` was used; null while some are left.
  ADD COLUMN used_up_at timestamptz,
  -- The `used_up_at` that subscribers were told of.
  ADD COLUMN told_used_up_at timestamptz;
CREATE INDEX links_used_up_untold ON links (used_up_at) WHERE used_up_at IS NOT NULL AND told_used_up_at IS DISTINCT FROM used_up_at;
CREATE INDEX links_used_up ON links (environment_id, id DESC) WHERE used_up_at IS NOT NULL;
CREATE INDEX links_scheduled ON links (environment_id, id DESC) WHERE active_from IS NOT NULL;

-- Clicks used of links that have `max_clicks`, counted since it was set first. Apart from the link, which would be written again with each.
CREATE TABLE link_uses (
  link_id text COLLATE "C" PRIMARY KEY REFERENCES links (id) ON DELETE CASCADE,
  used bigint NOT NULL,
  -- How many of those that were asked for last were there.
  granted bigint NOT NULL
);
