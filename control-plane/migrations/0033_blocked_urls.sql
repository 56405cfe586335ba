-- Up Migration

-- Those of an object's URLs that stand on the block list, as they are stored in it. Engines get the object without them.
ALTER TABLE environments ADD COLUMN blocked_urls text[] NOT NULL DEFAULT '{}';
ALTER TABLE url_templates ADD COLUMN blocked_urls text[] NOT NULL DEFAULT '{}';
ALTER TABLE metadata_apis ADD COLUMN blocked_urls text[] NOT NULL DEFAULT '{}';
