-- Clicks of past days with columns, by the values of each field (control-plane/click-figures/columns/field-groups.ts). A day whose columns
-- were made before has none; its groups are counted from its columns.
CREATE TABLE click_day_groups (
  environment_number integer NOT NULL,
  day date NOT NULL,
  field text NOT NULL,
  -- Whether these are the groups of all values. If they are too many, only the clicks without a value are kept.
  is_whole boolean NOT NULL,
  -- Arrays of the value, all clicks, clicks by people, and visitors.
  groups json NOT NULL,
  PRIMARY KEY (environment_number, day, field),
  FOREIGN KEY (environment_number, day) REFERENCES click_column_days ON DELETE CASCADE
);
