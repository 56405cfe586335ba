-- Batches of the click log in the order in which they were committed, for an hour: what GET /clicks/stream reads by. The rows of
-- click_batches go as soon as they are counted, and batches of several hosts are not committed in the order of their numbers.
CREATE TABLE click_log_batches (
  batch_id bigint PRIMARY KEY,
  -- The transaction that stored it. One below the oldest that is under way has ended, so that nothing can appear before it.
  xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
  -- Of its clicks; -1 stands for all.
  shards smallint[] NOT NULL,
  from_at timestamptz NOT NULL,
  to_at timestamptz NOT NULL,
  stored_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX click_log_batches_order ON click_log_batches (xid, batch_id);
CREATE INDEX click_log_batches_stored ON click_log_batches (stored_at);

-- A counter splits batches of engines of older releases by shard, which makes no new batch.
CREATE FUNCTION note_click_batches() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO click_log_batches (batch_id, shards, from_at, to_at)
  SELECT batch_id, array_agg(shard), min(from_at), max(to_at) FROM stored GROUP BY batch_id ORDER BY batch_id
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END
$$;
CREATE TRIGGER click_batches_noted AFTER INSERT ON click_batches
  REFERENCING NEW TABLE AS stored FOR EACH STATEMENT EXECUTE FUNCTION note_click_batches();
