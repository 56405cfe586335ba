-- The creation of a link is followed by engines like any other row, but no call waits for that, and engines do not hurry to say that they
-- have followed it. Rows that the release before writes count as changes: calls may wait for them, and engines say at once how far they are.
ALTER TABLE config_feed ADD COLUMN is_creation boolean NOT NULL DEFAULT false;

-- Calls wait for the newest of these rows.
-- Holds up writes to config_feed: some 1 s for a million rows.
CREATE INDEX config_feed_changes ON config_feed (id) WHERE NOT is_creation;

-- The identity of the feed. It consists of everything that changes when positions may no longer mean the same: the feed's own uuid; the
-- cluster (system_identifier: another server) and its timeline (a restore to an earlier time, or a failover that may have lost commits;
-- taken from the WAL file name, because pg_control shows a new timeline only after the next checkpoint); the database's oid (dropped and
-- restored); the table's oid and file (restored with --clean, or truncated and filled again). VACUUM FULL of the feed changes the file too,
-- which causes an unnecessary but harmless bootstrap. Any user may call all of these functions.
CREATE FUNCTION feed_epoch() RETURNS text LANGUAGE sql STABLE AS $$
  SELECT concat_ws(':', state.epoch, control.system_identifier, left(pg_walfile_name(pg_current_wal_lsn()), 8),
    (SELECT oid FROM pg_database WHERE datname = current_database()),
    'config_feed'::regclass::oid, pg_relation_filenode('config_feed'))
  FROM config_feed_state AS state, pg_control_system() AS control
$$;
