-- Titles, tags and archived links, and what they are found and sorted by.

CREATE EXTENSION IF NOT EXISTS pg_trgm;

-- Made by their use. Links hold numbers: a tag is renamed in one row, and one that is deleted is shown no more.
CREATE TABLE tags (
  id text COLLATE "C" PRIMARY KEY,
  number integer GENERATED ALWAYS AS IDENTITY UNIQUE,
  environment_id text COLLATE "C" NOT NULL REFERENCES environments (id),
  name text COLLATE "C" NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  UNIQUE (environment_id, name)
);
CREATE INDEX tags_newest ON tags (environment_id, id DESC);

ALTER TABLE links
  ADD COLUMN title text,
  ADD COLUMN tag_numbers integer[] NOT NULL DEFAULT '{}',
  ADD COLUMN archived boolean NOT NULL DEFAULT false;

-- The numbers of the tags with these names, in their order. Makes those that the environment lacks.
CREATE FUNCTION number_tags(environment text, names json) RETURNS integer[]
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  IF json_array_length(names) = 0 THEN
    RETURN '{}';
  END IF;
  -- In the order of their names, so that two which make the same tags wait for each other in one order and never in a circle.
  INSERT INTO tags (id, environment_id, name, created_at, updated_at)
  SELECT new_id('tag_', now()), environment, given.name, date_trunc('milliseconds', now()), date_trunc('milliseconds', now())
  FROM json_array_elements_text(names) AS given (name)
  WHERE NOT EXISTS (SELECT 1 FROM tags WHERE tags.environment_id = environment AND tags.name = given.name)
  ORDER BY given.name COLLATE "C"
  ON CONFLICT DO NOTHING;
  RETURN ARRAY(
    SELECT tags.number
    FROM json_array_elements_text(names) WITH ORDINALITY AS given (name, place)
    JOIN tags ON tags.environment_id = environment AND tags.name = given.name
    ORDER BY place);
END
$$;

-- The texts by which a link is found, apart from its tags: a line each.
CREATE FUNCTION link_search_text(path text, title text, destinations json) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT path || coalesce(E'\n' || title, '') || coalesce((SELECT E'\n' || string_agg(DISTINCT value, E'\n') FROM json_each_text(destinations)), '')
$$;

CREATE INDEX links_search ON links USING gin ((link_search_text(path, title, destinations) COLLATE "default") gin_trgm_ops) WHERE state <> 'deleted';
CREATE INDEX links_tags ON links USING gin (tag_numbers) WHERE tag_numbers <> '{}' AND state <> 'deleted';
CREATE INDEX links_by_name ON links (environment_id, (lower(coalesce(title, path) COLLATE "default")), id) WHERE state <> 'deleted';
CREATE INDEX links_archived ON links (environment_id, id DESC) WHERE archived AND state <> 'deleted';
