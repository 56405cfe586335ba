-- Numbers of environments that were deleted with their project. Clicks of their last visits may still wait on a host that is away: they
-- are not stored.
CREATE TABLE erased_environments (
  number integer PRIMARY KEY,
  erased_at timestamptz NOT NULL
);
