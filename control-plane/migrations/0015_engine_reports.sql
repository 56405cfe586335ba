-- Up Migration

-- What an engine says of itself with every beat (shared/base/engine-report.ts): its processes, their parts, its spool. The
-- admin ports of engines are not reachable for the API; this row is. Null until the first beat.
ALTER TABLE engines ADD COLUMN report jsonb;
