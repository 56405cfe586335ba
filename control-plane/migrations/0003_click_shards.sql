-- Clicks are counted in sixteen shards of the environments, each by one counter at a time, which remembers visitors in memory.
CREATE TABLE click_shards (
  shard smallint PRIMARY KEY CHECK (shard BETWEEN 0 AND 15),
  version bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50);
INSERT INTO click_shards (shard) SELECT generate_series(0, 15);

-- -1 stands for all shards: so say engines that were started before this migration.
ALTER TABLE click_batches ADD COLUMN shard smallint NOT NULL DEFAULT -1;
ALTER TABLE click_batches DROP CONSTRAINT click_batches_pkey;
ALTER TABLE click_batches ADD PRIMARY KEY (batch_id, shard);

DROP TABLE click_visits;
