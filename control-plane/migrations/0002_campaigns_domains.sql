-- Up Migration

CREATE TABLE campaigns (
  id text COLLATE "C" PRIMARY KEY,
  environment_id text COLLATE "C" NOT NULL REFERENCES environments (id),
  key text COLLATE "C" NOT NULL,
  name text NOT NULL,
  utm_source text,
  utm_medium text,
  utm_campaign text,
  utm_term text,
  utm_content text,
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'ended')),
  starts_at timestamptz,
  ends_at timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  UNIQUE (environment_id, key)
);
CREATE INDEX campaigns_newest ON campaigns (environment_id, id DESC);

CREATE TABLE domains (
  id text COLLATE "C" PRIMARY KEY,
  environment_id text COLLATE "C" NOT NULL REFERENCES environments (id),
  hostname text COLLATE "C" NOT NULL,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'verified', 'failed')),
  -- Value of the TXT record that proves the domain is the customer's. Public once it is set.
  txt_value text NOT NULL,
  last_checked_at timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  UNIQUE (environment_id, hostname)
);
-- Many may claim a host name, one can prove it.
CREATE UNIQUE INDEX domains_verified ON domains (hostname) WHERE status = 'verified';
CREATE INDEX domains_newest ON domains (environment_id, id DESC);
