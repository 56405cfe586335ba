-- Up Migration

-- When the clicks were stored: what says since when they wait to be counted. The times of the clicks themselves do not, after
-- an outage or if a host's clock is wrong. Not that of the transaction's start, since a COPY may take its time.
ALTER TABLE click_batches ADD COLUMN stored_at timestamptz NOT NULL DEFAULT clock_timestamp();
