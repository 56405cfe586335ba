-- Queries of clicks that were saved under a name.
CREATE TABLE saved_views (
  id text COLLATE "C" PRIMARY KEY,
  environment_id text COLLATE "C" NOT NULL REFERENCES environments (id) ON DELETE CASCADE,
  name text COLLATE "C" NOT NULL,
  -- {range, from, to, interval, breakdown, measure, compare, filters}
  query json NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
CREATE INDEX saved_views_listed ON saved_views (environment_id, id);
CREATE UNIQUE INDEX saved_views_name ON saved_views (environment_id, name);

-- The public link of a view. What a link holds is made of the id and a key that the database does not have; a link that is revoked is a
-- row that is gone, and its id never comes again.
CREATE TABLE view_shares (
  id text COLLATE "C" PRIMARY KEY,
  view_id text COLLATE "C" NOT NULL UNIQUE REFERENCES saved_views (id) ON DELETE CASCADE,
  -- scrypt; null for none.
  password text,
  expires_at timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
