-- Other addresses of links.
CREATE TABLE link_aliases (
  id text COLLATE "C" PRIMARY KEY,
  environment_id text COLLATE "C" NOT NULL REFERENCES environments (id),
  link_id text COLLATE "C" NOT NULL REFERENCES links (id) ON DELETE CASCADE,
  -- The link host or a custom host, in lower case.
  host text COLLATE "C" NOT NULL,
  -- As visits are compared with it (shared/resolve/alias-path.ts). How the customer wrote it stands in links.aliases.
  normal_path text COLLATE "C" NOT NULL,
  UNIQUE (environment_id, host, normal_path)
);
CREATE INDEX link_aliases_of_link ON link_aliases (link_id);

-- Engines are told of every alias that goes, also of those that go with their link.
CREATE FUNCTION feed_removed_aliases() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO config_feed (kind, environment_id, object_id, object_key)
  SELECT 'alias', environment_id, id, host || '/' || normal_path FROM removed;
  RETURN NULL;
END
$$;
CREATE TRIGGER link_aliases_removed AFTER DELETE ON link_aliases
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION feed_removed_aliases();

-- [{host, path}] in the order in which they were given.
ALTER TABLE links ADD COLUMN aliases json NOT NULL DEFAULT '[]';
-- Hosts on which a link has, or had, an alias: engines look for none elsewhere.
ALTER TABLE environments ADD COLUMN alias_hosts text[] NOT NULL DEFAULT '{}';
