-- Up Migration

-- Rows that are deleted once their time is over are found by it.
CREATE INDEX installs_opened ON installs (opened_at);
CREATE INDEX links_deleted ON links (deleted_at) WHERE state = 'deleted';
