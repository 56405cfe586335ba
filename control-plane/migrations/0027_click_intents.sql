-- What shippers are about to store in ClickHouse, where no transaction of this database reaches: up to where a batch goes in each of its
-- segments, from where click_segments says. Written before the clicks are sent, and deleted by the transaction that notes them as stored.
CREATE TABLE click_intents (
  segment_id uuid PRIMARY KEY REFERENCES click_segments ON DELETE CASCADE,
  -- The clicks' batch_id, and what ClickHouse knows their insertions by.
  batch_id bigint NOT NULL,
  to_bytes bigint NOT NULL,
  to_clicks bigint NOT NULL,
  made_at timestamptz NOT NULL DEFAULT now()
);
