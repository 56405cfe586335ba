-- Endpoints that receive clicks: shippers read them for every batch, and most endpoints receive other events.
-- Holds up writes to webhook_endpoints: some 1 s for a million rows.
CREATE INDEX webhook_endpoints_of_clicks ON webhook_endpoints (environment_id) WHERE status = 'active' AND 'click.created' = ANY (events);
