-- Long links: the hosts they may lead to, none by default, and the path of the link that their visits count for.
ALTER TABLE environments
  ADD COLUMN long_link_hosts text[] NOT NULL DEFAULT '{}',
  ADD COLUMN long_link_path text;

-- The tags of each link beside its clicks: a list of a tag's links by clicks then walks one index, and looks no link up that is not in it.
ALTER TABLE link_clicks ADD COLUMN tag_numbers integer[] NOT NULL DEFAULT '{}';

CREATE OR REPLACE FUNCTION count_new_links() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO link_clicks (link_id, environment_number, tag_numbers)
  SELECT made.id, environments.number, made.tag_numbers FROM made JOIN environments ON environments.id = made.environment_id;
  RETURN NULL;
END
$$;

CREATE FUNCTION tag_link_clicks() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  UPDATE link_clicks SET tag_numbers = NEW.tag_numbers WHERE link_id = NEW.id;
  RETURN NULL;
END
$$;
CREATE TRIGGER links_tagged AFTER UPDATE OF tag_numbers ON links
  FOR EACH ROW WHEN (OLD.tag_numbers IS DISTINCT FROM NEW.tag_numbers) EXECUTE FUNCTION tag_link_clicks();
