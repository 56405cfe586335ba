-- Which open clicks are of one visitor: those with one match key have one network, so that the user agent tells visitors
-- apart. Null for clicks that an engine of an older release ships.
ALTER TABLE open_clicks ADD COLUMN user_agent_hash bytea;
