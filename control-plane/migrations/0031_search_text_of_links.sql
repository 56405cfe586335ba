-- The same words as before, so that the index stays as it is; but one expression, which PostgreSQL writes into the statements and
-- evaluates in place. The subquery of before was started for each row, and took a third of the time in which a link is stored.
CREATE OR REPLACE FUNCTION link_search_text(path text, title text, destinations json) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT path || coalesce(E'\n' || title, '')
    || coalesce(E'\n' || (destinations ->> 'ios'), '') || coalesce(E'\n' || (destinations ->> 'android'), '')
    || coalesce(E'\n' || (destinations ->> 'web'), '') || coalesce(E'\n' || (destinations ->> 'desktop'), '')
    || coalesce(E'\n' || (destinations ->> 'fallback'), '')
$$;

-- How many links hold a text is told by no statistics of a partial index: PostgreSQL took "sale" for rare, looked up a third of a million
-- links and sorted them.
CREATE STATISTICS links_search_text ON (link_search_text(path, title, destinations) COLLATE "default") FROM links;
ANALYZE links;
