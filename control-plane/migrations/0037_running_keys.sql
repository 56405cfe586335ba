-- Requests with an Idempotency-Key that wait for another server. A row is committed before that and goes with the request; one that a
-- process left behind when it died counts for nothing once it has ended. A crash of PostgreSQL may lose them all: the lock of the effect
-- then decides alone.
CREATE UNLOGGED TABLE idempotency_runs (
  key_id text COLLATE "C" NOT NULL,
  idempotency_key uuid NOT NULL,
  request_id text COLLATE "C" NOT NULL,
  ends_at timestamptz NOT NULL,
  PRIMARY KEY (key_id, idempotency_key)
);
