-- Up Migration

-- The heads of long lists (links, items, referrers, campaigns, the links of each campaign), over the days of a range that are over and over single
-- days (shared/decisions/2026-11-21-figures-of-clicks.md). What was kept of them is made anew from figures.
DROP TABLE click_tops;
DROP TABLE click_top_windows;

-- Days whose heads are kept. Where one day is all of them, the counting keeps them true; what is added up over several
-- days goes as soon as a figure of those days changes.
CREATE TABLE click_top_windows (
  environment_number integer NOT NULL,
  from_day date NOT NULL,
  until_day date NOT NULL,
  PRIMARY KEY (environment_number, from_day, until_day)
);

CREATE TABLE click_top_lists (
  list_number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  environment_number integer NOT NULL,
  from_day date NOT NULL,
  until_day date NOT NULL,
  dimension click_dimension NOT NULL,
  list_id text COLLATE "C" NOT NULL,     -- the type of a list of items, the campaign of a list of its links; '' otherwise
  floor bigint NOT NULL,                 -- what is not in the head has no more clicks of people, what is has more; -1 where all is
  UNIQUE (environment_number, from_day, until_day, dimension, list_id),
  FOREIGN KEY (environment_number, from_day, until_day) REFERENCES click_top_windows ON DELETE CASCADE
);

-- Pages are left room: what people click on most is counted up with every batch.
CREATE TABLE click_tops (
  list_number bigint NOT NULL REFERENCES click_top_lists ON DELETE CASCADE,
  subject_id uuid NOT NULL,
  campaign text COLLATE "C" NOT NULL,
  value text COLLATE "C" NOT NULL,
  clicks bigint NOT NULL,
  human bigint NOT NULL,
  visitors bigint NOT NULL,
  PRIMARY KEY (list_number, subject_id, campaign, value)
) WITH (fillfactor = 60);
