-- When a key was last used, to the minute. Null for never. It is in no index, so that writing it rewrites none.
ALTER TABLE api_keys ADD COLUMN last_used_at timestamptz;
