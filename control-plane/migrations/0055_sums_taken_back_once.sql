-- Sums of a day are taken back once, not again with each late batch of its clicks: where clicks come late, many batches have some of them, and
-- each wrote a row for every environment. Rows are locked in one order, so that two batches never wait for each other.
CREATE OR REPLACE FUNCTION forget_summed_days() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE click_summed_days AS summed
  SET version = NULL, summed_at = NULL, due_at = greatest(summed.due_at, now() + interval '10 minutes')
  FROM (
    SELECT counted.environment_number, counted.day
    FROM stored
    JOIN click_summed_days AS counted ON counted.from_at <= stored.to_at AND counted.end_at > stored.from_at
    -- A day that was taken back in the last minutes is not counted before this transaction is over.
    WHERE counted.version IS NOT NULL OR counted.summed_at IS NOT NULL OR counted.due_at < now() + interval '5 minutes'
    ORDER BY counted.environment_number, counted.day
    FOR UPDATE OF counted
  ) AS changed
  WHERE (summed.environment_number, summed.day) = (changed.environment_number, changed.day);
  RETURN NULL;
END
$$;
