-- Up Migration

-- A key is never free again: the row of an archived type stays, and with it the unique index.
CREATE TABLE resource_types (
  id text COLLATE "C" PRIMARY KEY,
  environment_id text COLLATE "C" NOT NULL REFERENCES environments (id),
  key text COLLATE "C" NOT NULL CHECK (key ~ '^[a-z][a-z0-9_-]{0,63}$'),
  name text NOT NULL,
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'archived')),
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  UNIQUE (environment_id, key),
  -- What belongs to a type refers to both, and so cannot belong to a type of another environment.
  UNIQUE (environment_id, id)
);

-- json, not jsonb: what a customer stored is given back with its own order of members.
CREATE TABLE url_templates (
  id text COLLATE "C" PRIMARY KEY,
  environment_id text COLLATE "C" NOT NULL REFERENCES environments (id),
  resource_type_id text COLLATE "C" NOT NULL,
  path_pattern text COLLATE "C" NOT NULL,
  id_format json NOT NULL,
  deep_link_path text NOT NULL,
  data json,
  redirects json NOT NULL DEFAULT '{}',
  allow_param_passthrough boolean NOT NULL DEFAULT false,
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'disabled', 'archived')),
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  FOREIGN KEY (environment_id, resource_type_id) REFERENCES resource_types (environment_id, id)
);
CREATE INDEX url_templates_newest ON url_templates (environment_id, id DESC);
CREATE INDEX url_templates_of_type ON url_templates (resource_type_id, id DESC);
-- Overlaps are found by the service, under the environment's lock; the plainest of them is impossible here as well.
CREATE UNIQUE INDEX url_templates_pattern ON url_templates (environment_id, path_pattern) WHERE status <> 'archived';
