-- Up Migration

-- Fingerprint of a remembered request whose JSON members may come in any order (control-plane/http/canonical-json.ts). Null in
-- rows of a release that compares bodies byte for byte, which `fingerprint` still serves.
ALTER TABLE idempotency_keys ADD COLUMN canonical_fingerprint bytea;
