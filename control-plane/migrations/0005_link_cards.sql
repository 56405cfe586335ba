-- Preview cards of links: {title, description, image_url}.
ALTER TABLE links ADD COLUMN card json;
-- Preview bots that were redirected to the web destination of an item.
ALTER TABLE metadata_figures ADD COLUMN previews_redirected bigint NOT NULL DEFAULT 0;
