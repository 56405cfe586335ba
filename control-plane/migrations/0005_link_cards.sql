-- Preview cards of links: {title, description, image_url}.
ALTER TABLE links ADD COLUMN card json;
