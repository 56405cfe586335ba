-- The installation that the remembered request names, with which its answer is erased. Null for a request that names none, and for answers
-- that an earlier release has remembered.
ALTER TABLE idempotency_keys ADD COLUMN install_id text;
CREATE INDEX idempotency_keys_installs ON idempotency_keys (install_id) WHERE install_id IS NOT NULL;
