-- What an environment's own pages show: {name, color, logo, support_url}, the logo as a PNG in base64.
ALTER TABLE environments ADD COLUMN brand json NOT NULL DEFAULT '{}';
