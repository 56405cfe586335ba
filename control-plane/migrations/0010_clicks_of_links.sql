-- Clicks of people on each link over the last 30 days, so that links can be sorted by them. They are added up from click_figures
-- (control-plane/click-figures/link-clicks.ts). Apart from the link, which would be written again with all of its indexes.
CREATE TABLE link_clicks (
  link_id text COLLATE "C" PRIMARY KEY REFERENCES links (id) ON DELETE CASCADE,
  environment_number integer NOT NULL,
  human bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 80);
CREATE INDEX link_clicks_most ON link_clicks (environment_number, human, link_id);
-- Those that may have to be set to 0.
CREATE INDEX link_clicks_some ON link_clicks (environment_number, link_id) WHERE human > 0;

-- How far the links of an environment are added up.
CREATE TABLE link_click_rounds (
  environment_number integer PRIMARY KEY REFERENCES environments (number) ON DELETE CASCADE,
  -- What the figures were when the round began: the version of their shard, the last day, and a digest of the days' sums.
  version bigint NOT NULL,
  last_day date NOT NULL,
  sums text NOT NULL,
  -- The link up to which the round has come, as uuid; null once it is over.
  reached uuid,
  began_at timestamptz NOT NULL,
  ended_at timestamptz NOT NULL
);

-- Every link has its row, also one that a release before makes.
CREATE FUNCTION count_new_links() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO link_clicks (link_id, environment_number)
  SELECT made.id, environments.number FROM made JOIN environments ON environments.id = made.environment_id;
  RETURN NULL;
END
$$;
CREATE TRIGGER links_made AFTER INSERT ON links
  REFERENCING NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION count_new_links();

-- Clicks that a link had at the service which it came from. Apart from the figures, which can be counted again from the log.
CREATE TABLE imported_clicks (
  link_id text COLLATE "C" NOT NULL REFERENCES links (id) ON DELETE CASCADE,
  -- The name of the service: bitly, dub.
  source text NOT NULL,
  -- Null if the service tells no days.
  day date,
  clicks bigint NOT NULL CHECK (clicks >= 0),
  UNIQUE NULLS NOT DISTINCT (link_id, source, day)
);
