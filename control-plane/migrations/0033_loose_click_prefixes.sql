-- Windows whose prefixes are made again when there is time (control-plane/click-figures/top-prefixes.ts).
ALTER TABLE click_top_windows ADD COLUMN is_loose boolean NOT NULL DEFAULT false;
