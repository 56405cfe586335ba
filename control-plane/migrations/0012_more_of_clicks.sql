-- What a click says of the visitor's program, place and way. Null of clicks that were stored before.
ALTER TABLE clicks
  ADD COLUMN os text,
  ADD COLUMN browser text,
  ADD COLUMN browser_version text,
  ADD COLUMN region text,
  ADD COLUMN city text,
  -- `qr`; null stands for `link`.
  ADD COLUMN source text;
