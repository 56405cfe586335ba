-- Notes for those who work with a link.
ALTER TABLE links ADD COLUMN comments text;
