-- Up Migration

-- How often an attempt was claimed. One that ends the thread or the process that sends it would be claimed again for ever:
-- after some claims it has failed. A release that does not know of it leaves it as it is.
ALTER TABLE webhook_deliveries ADD COLUMN claims smallint NOT NULL DEFAULT 0;
