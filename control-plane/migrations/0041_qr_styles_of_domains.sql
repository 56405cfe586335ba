-- How QR codes of links that are shown on the domain look, as the API takes it: members that are not set are absent. Null for none.
ALTER TABLE domains ADD COLUMN qr_style json;
