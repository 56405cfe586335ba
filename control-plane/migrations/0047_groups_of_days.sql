-- Clicks of days that are over, counted from the log by fields that click_figures does not have, of environments with many clicks
-- (control-plane/click-figures/day-groups.ts).

-- A day that is counted, or being counted as long as clicks is null: whoever changes the figures of the day deletes its row.
CREATE TABLE click_grouped_days (
  environment_number integer NOT NULL,
  day date NOT NULL,
  count_id bigint GENERATED ALWAYS AS IDENTITY,
  begun_at timestamptz NOT NULL,
  -- What the figures of the day were: once they are others, the groups are no longer those of the day.
  clicks bigint,
  human bigint,
  visitors bigint,
  PRIMARY KEY (environment_number, day)
);

CREATE TABLE click_day_groups (
  environment_number integer NOT NULL,
  field text NOT NULL,
  day date NOT NULL,
  -- An array for each group: its value, clicks, clicks of people, visitors.
  groups jsonb NOT NULL,
  PRIMARY KEY (environment_number, field, day),
  FOREIGN KEY (environment_number, day) REFERENCES click_grouped_days ON DELETE CASCADE
);
-- What a day takes with it when it is deleted.
CREATE INDEX click_day_groups_day ON click_day_groups (environment_number, day);
