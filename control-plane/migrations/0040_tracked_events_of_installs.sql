-- Up Migration

-- An installation's events are found by it when it is erased.
CREATE INDEX tracked_events_install ON tracked_events (environment_id, install_id) WHERE install_id IS NOT NULL;
