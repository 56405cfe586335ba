-- Replays and tests are claimed apart from events: they were requested by hand, and finish within seconds also if the endpoint has a backlog.
-- Holds up writes to webhook_deliveries: some 1 s for a million rows.
CREATE INDEX webhook_deliveries_manual ON webhook_deliveries (webhook_id, due_at) WHERE due_at IS NOT NULL AND kind <> 'automatic';

-- When the endpoint was last disabled: what was queued before is abandoned, also if the endpoint is active again by then.
ALTER TABLE webhook_endpoints ADD COLUMN abandoned_until timestamptz NOT NULL DEFAULT '-infinity';
