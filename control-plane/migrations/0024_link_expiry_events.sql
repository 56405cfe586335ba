-- Up Migration

-- The `expires_at` that subscribers were told of by `link.disabled`. Where it is another than the link's own, they have not
-- been told: so an expiry that was moved, by any release, is told of again.
ALTER TABLE links ADD COLUMN told_expires_at timestamptz;

-- Nobody is told now of what expired before there was such an event.
UPDATE links SET told_expires_at = expires_at WHERE expires_at <= now();

CREATE INDEX links_expiry_untold ON links (expires_at) WHERE state = 'active' AND told_expires_at IS DISTINCT FROM expires_at;
