-- Columns of a day that is not over (control-plane/click-figures/prepared/day-columns.ts). Clicks that were stored after them are read from
-- the log.
ALTER TABLE click_column_days
  -- The last batch whose clicks are in the columns; null if the columns have all clicks of the day.
  ADD COLUMN last_batch bigint,
  -- The number of the first part. While a day is made again, the new parts get higher numbers, so that the old ones can be read until then.
  ADD COLUMN first_part integer NOT NULL DEFAULT 0,
  -- When the columns were complete. If this is before begun_at, they are being made again.
  ADD COLUMN made_at timestamptz;

-- Codes are packed already. PostgreSQL took half of the time of storing them to find that it cannot compress them much further.
ALTER TABLE click_columns ALTER COLUMN codes SET STORAGE EXTERNAL;
