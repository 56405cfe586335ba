-- Clicks of days that are over by tag, counted from the log (control-plane/click-figures/day-tags.ts). Links have other tags later, and what
-- was counted is true as long as they have not.

-- How often links that were there, or tags, have got another tag or name. What counts is the sum: rows are added, and never changed, so that
-- no call waits for another one, and now and then many of them become one.
CREATE TABLE click_tag_changes (
  environment_number integer NOT NULL,
  changes bigint NOT NULL
);
CREATE INDEX click_tag_changes_environment ON click_tag_changes (environment_number);

CREATE TABLE click_day_tags (
  environment_number integer NOT NULL,
  day date NOT NULL,
  counted_at timestamptz NOT NULL,
  -- The sum of the changes that the count has seen.
  tag_changes bigint NOT NULL,
  -- As of click_day_groups; null if they are too many.
  groups jsonb,
  PRIMARY KEY (environment_number, day),
  FOREIGN KEY (environment_number, day) REFERENCES click_grouped_days ON DELETE CASCADE
);

CREATE OR REPLACE FUNCTION tag_link_clicks() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  WITH tagged AS (
    UPDATE link_clicks SET tag_numbers = NEW.tag_numbers WHERE link_id = NEW.id RETURNING environment_number
  )
  INSERT INTO click_tag_changes (environment_number, changes) SELECT environment_number, 1 FROM tagged;
  RETURN NULL;
END
$$;

CREATE FUNCTION note_tag_change() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO click_tag_changes (environment_number, changes) SELECT number, 1 FROM environments WHERE id = OLD.environment_id;
  RETURN NULL;
END
$$;
CREATE TRIGGER tags_changed AFTER DELETE OR UPDATE OF name ON tags
  FOR EACH ROW EXECUTE FUNCTION note_tag_change();
