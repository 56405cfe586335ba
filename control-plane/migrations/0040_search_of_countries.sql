-- Destinations by country, one in a line, for the search of links. An index of its own: few links have any.
CREATE FUNCTION link_country_text(geo json) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT string_agg(value, E'\n') FROM json_each_text(geo)
$$;

CREATE INDEX links_country_search ON links USING gin ((link_country_text(geo) COLLATE "default") gin_trgm_ops)
  WHERE state <> 'deleted' AND geo IS NOT NULL;
