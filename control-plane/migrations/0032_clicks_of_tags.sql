-- Links of a tag by clicks, where they are not among those with most clicks (control-plane/links/list-sql.ts): some 2 s for a million links.
CREATE INDEX link_clicks_tags ON link_clicks USING gin (tag_numbers) WHERE tag_numbers <> '{}';
