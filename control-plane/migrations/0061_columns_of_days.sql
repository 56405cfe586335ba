-- Clicks of past days as columns, of environments with many clicks (control-plane/click-figures/prepared/day-columns.ts). They take the
-- place of groups and tags of days.

-- A day whose columns are made, or are being made as long as clicks is null. Whoever changes the figures of the day deletes its row.
CREATE TABLE click_column_days (
  environment_number integer NOT NULL,
  day date NOT NULL,
  count_id bigint GENERATED ALWAYS AS IDENTITY,
  begun_at timestamptz NOT NULL,
  -- What the figures of the day were. Once they differ, the columns are no longer those of the day.
  clicks bigint,
  human bigint,
  visitors bigint,
  -- The number of parts into which the day is divided, and the fields of which every part has a column.
  parts integer,
  fields text[],
  PRIMARY KEY (environment_number, day)
);

-- Clicks in the order of their visitors. A row has one field of each click of a part.
CREATE TABLE click_columns (
  environment_number integer NOT NULL,
  day date NOT NULL,
  field text NOT NULL,
  part integer NOT NULL,
  clicks integer NOT NULL,
  -- The values of the field that occur, in ascending order without the beginnings that they share; null comes before them.
  dictionary bytea NOT NULL,
  has_null boolean NOT NULL,
  -- For each click, the place of its value in the dictionary, in this many bits.
  bits smallint NOT NULL,
  codes bytea NOT NULL,
  PRIMARY KEY (environment_number, day, field, part),
  FOREIGN KEY (environment_number, day) REFERENCES click_column_days ON DELETE CASCADE
);

-- As it was before tags of days.
CREATE OR REPLACE FUNCTION tag_link_clicks() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  UPDATE link_clicks SET tag_numbers = NEW.tag_numbers WHERE link_id = NEW.id;
  RETURN NULL;
END
$$;
DROP TRIGGER tags_changed ON tags;
DROP FUNCTION note_tag_change();
DROP TABLE click_day_tags;
DROP TABLE click_tag_changes;
DROP TABLE click_day_groups;
DROP TABLE click_grouped_days;
