-- The state that a link had when it was blocked, to which it comes back. Null for links that were blocked before.
ALTER TABLE links ADD COLUMN state_before_block text;
