-- Days that are over whose clicks are added up in ClickHouse (control-plane/click-store/summed-days.ts).
CREATE TABLE click_summed_days (
  environment_number integer NOT NULL,
  day date NOT NULL,
  -- When the day begins and ends, and in which zone: in another one it is another day.
  time_zone text NOT NULL,
  from_at timestamptz NOT NULL,
  end_at timestamptz NOT NULL,
  -- What the sums of this count have in ClickHouse. It is drawn: after a failover a sequence could give a number again. Null for a day
  -- with few clicks, which has no sums, and once the clicks have changed.
  version bigint,
  -- Null while it is counted, and once the clicks have changed.
  summed_at timestamptz,
  -- From when on it may be counted again.
  due_at timestamptz NOT NULL,
  PRIMARY KEY (environment_number, day)
);
CREATE INDEX click_summed_days_end ON click_summed_days (end_at);

-- Whoever stores clicks says so here, in the transaction that ends their way: sums of days that have some of them are not read any more.
CREATE FUNCTION forget_summed_days() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE click_summed_days AS summed
  SET version = NULL, summed_at = NULL, due_at = greatest(summed.due_at, now() + interval '10 minutes')
  FROM stored
  WHERE summed.from_at <= stored.to_at AND summed.end_at > stored.from_at;
  RETURN NULL;
END
$$;
CREATE TRIGGER click_log_batches_forget_sums AFTER INSERT ON click_log_batches
  REFERENCING NEW TABLE AS stored FOR EACH STATEMENT EXECUTE FUNCTION forget_summed_days();
-- A batch that is stored in two parts is the same row.
CREATE TRIGGER click_log_batches_forget_sums_again AFTER UPDATE ON click_log_batches
  REFERENCING NEW TABLE AS stored FOR EACH STATEMENT EXECUTE FUNCTION forget_summed_days();
