-- Paths of aliases as their customer wrote them, one in a line, for the search of links. An index of its own: few links have any. It holds deleted links too.
CREATE FUNCTION link_alias_text(aliases json) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT string_agg(alias ->> 'path', E'\n') FROM json_array_elements(aliases) AS given (alias)
$$;

-- Holds up writes to links: some 1 s for a million rows.
CREATE INDEX links_alias_search ON links USING gin ((link_alias_text(aliases) COLLATE "default") gin_trgm_ops)
  WHERE json_array_length(aliases) > 0;
