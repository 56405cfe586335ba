-- The item of a template that conversions are counted for, with the key of its resource type. Null of events and openings that were stored
-- before, or that an earlier release stores.
ALTER TABLE tracked_events ADD COLUMN resource_type text COLLATE "C", ADD COLUMN item_id text COLLATE "C";
ALTER TABLE app_opens ADD COLUMN resource_type text COLLATE "C", ADD COLUMN item_id text COLLATE "C";
ALTER TABLE installs ADD COLUMN resource_type text COLLATE "C", ADD COLUMN item_id text COLLATE "C";

-- Read out of the answer, also where a control plane of the release before stores it. Generated columns would write the whole table again,
-- and hold up its readers as long.
CREATE FUNCTION read_item_of_install() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.resource_type := NEW.answer #>> '{resource,resource_type}';
  NEW.item_id := NEW.answer #>> '{resource,id}';
  RETURN NEW;
END
$$;
CREATE TRIGGER installs_item_read BEFORE INSERT ON installs FOR EACH ROW EXECUTE FUNCTION read_item_of_install();

-- What a click was of; nothing if it is not in the log. As find_click, which an earlier release asks.
CREATE FUNCTION find_logged_click(click_id uuid, at timestamptz, number integer)
RETURNS TABLE (kind text, subject_id uuid, campaign text, resource_type_id uuid, item_id text)
LANGUAGE plpgsql STABLE SET enable_seqscan = off AS $$
BEGIN
  RETURN QUERY EXECUTE 'SELECT kind, subject_id, campaign, resource_type_id, item_id FROM clicks
    WHERE id = $1 AND occurred_at = $2 AND environment_number = $3 LIMIT 1'
    USING click_id, at, number;
END
$$;
