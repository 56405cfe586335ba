-- Links that were tagged before. Apart from the migration before, whose locks no other writer waits for while this one works: some 15 s for a
-- million links. One that was tagged since has its tags.
UPDATE link_clicks SET tag_numbers = links.tag_numbers FROM links
WHERE links.id = link_clicks.link_id AND links.tag_numbers <> '{}' AND link_clicks.tag_numbers = '{}';

-- Those whose tags were changed while the statement before read them.
UPDATE link_clicks SET tag_numbers = links.tag_numbers FROM links
WHERE links.id = link_clicks.link_id AND links.tag_numbers <> link_clicks.tag_numbers;

CREATE INDEX link_clicks_tagged ON link_clicks (environment_number, human, link_id) INCLUDE (tag_numbers) WHERE tag_numbers <> '{}';
