-- Replays and tests are claimed apart from events: they were requested by hand, and finish within seconds also if the endpoint has a backlog.
-- Holds up writes to webhook_deliveries: some 1 s for a million rows.
CREATE INDEX webhook_deliveries_manual ON webhook_deliveries (webhook_id, due_at) WHERE due_at IS NOT NULL AND kind <> 'automatic';
