-- The state that a link had when it was deleted, in which it can be restored. Null for links that were deleted before.
ALTER TABLE links ADD COLUMN state_before_deletion text;
