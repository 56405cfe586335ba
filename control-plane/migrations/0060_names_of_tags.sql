-- Names of tags have no blanks at either end (shared/contract/schemas/tag.ts), and a link that is sent back with a name of before was refused.
-- Blanks of ASCII are taken away, since a database of another encoding than UTF-8 may know no others; "-" stands for a name of nothing else. A
-- tag whose name there is already, or that another one gets as well, becomes one tag with it. Triggers note that tags of links have changed.
-- Reads all links: some 1 s for a million.
WITH untrimmed AS (
  SELECT number, environment_id, name, coalesce(nullif(trimmed, ''), '-') AS trimmed
  FROM tags CROSS JOIN LATERAL btrim(name, E' \t\n\x0b\f\r') AS trimmed
  WHERE name <> trimmed
), kept AS (
  SELECT environment_id, trimmed, coalesce(
      (SELECT number FROM tags WHERE tags.environment_id = untrimmed.environment_id AND tags.name = untrimmed.trimmed),
      min(number)
    ) AS number
  FROM untrimmed GROUP BY environment_id, trimmed
), merged AS (
  SELECT untrimmed.number AS from_number, kept.number AS to_number
  FROM untrimmed JOIN kept USING (environment_id, trimmed) WHERE untrimmed.number <> kept.number
), tagged AS (
  UPDATE links SET tag_numbers = ARRAY(
    SELECT coalesce(to_number, number) FROM unnest(tag_numbers) WITH ORDINALITY AS had (number, place) LEFT JOIN merged ON from_number = number
    GROUP BY coalesce(to_number, number) ORDER BY min(place))
  WHERE tag_numbers && ARRAY(SELECT from_number FROM merged)
), filtered AS (
  -- As renameTagOfViews of control-plane/tags/sql.ts.
  UPDATE saved_views SET updated_at = date_trunc('milliseconds', greatest(saved_views.updated_at, now())), query = (
      SELECT json_object_agg(member.key, CASE member.key WHEN 'filters' THEN (
        SELECT json_object_agg(filter.key, CASE filter.key WHEN 'tag' THEN to_json(untrimmed.trimmed) ELSE filter.value END)
        FROM json_each(member.value) AS filter) ELSE member.value END)
      FROM json_each(query) AS member)
  FROM untrimmed WHERE untrimmed.environment_id = saved_views.environment_id AND query #>> '{filters,tag}' = untrimmed.name
), dropped AS (
  DELETE FROM tags WHERE number IN (SELECT from_number FROM merged)
)
UPDATE tags SET name = kept.trimmed, updated_at = date_trunc('milliseconds', greatest(tags.updated_at, now()))
FROM kept WHERE kept.number = tags.number AND tags.name <> kept.trimmed;
