-- Conversions of items alone: what belongs to links is in the indexes that there were.
-- Holds up writes to installs: some 2 s for a million rows.
-- Holds up writes to tracked_events: some 1 s for a million rows.
CREATE INDEX installs_of_items ON installs (environment_id, opened_at)
  INCLUDE (resource_type, item_id, match_type) WHERE resource_type IS NOT NULL;
CREATE INDEX tracked_events_of_items ON tracked_events (environment_id, occurred_at)
  INCLUDE (name, resource_type, item_id, value, currency, created_at) WHERE resource_type IS NOT NULL;
