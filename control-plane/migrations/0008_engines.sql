-- Up Migration

-- Engines that call metadata APIs, one row a host. Each says that it is there, every few seconds, so that the limits of an
-- API are shared by those that are; by whom it knows (`members`, itself included) it shares them. One that ends leaves its
-- row until its calls count no more. How far it has followed the feed is what an invalidation waits for.
CREATE TABLE engines (
  id uuid PRIMARY KEY,
  -- Of the process that keeps the row at present: two hosts with a copy of one folder must not take themselves for one.
  session uuid NOT NULL,
  members uuid[] NOT NULL,
  -- Another number each time the row is written: whoever compares needs no clock.
  beat bigint NOT NULL DEFAULT 1,
  heartbeat_at timestamptz NOT NULL DEFAULT now(),
  left_at timestamptz,
  -- Feed row up to which it shows nothing that was invalidated; null before it has followed the feed. The epoch is the feed's
  -- own, with what tells the server apart from one that was restored.
  applied_epoch text,
  applied_position bigint,
  -- Number of the newest batch of figures that was added, in the transaction that added it: a batch whose answer was lost
  -- is sent again and not added twice.
  figures_batch bigint NOT NULL DEFAULT 0,
  CHECK ((applied_epoch IS NULL) = (applied_position IS NULL))
) WITH (fillfactor = 50);
