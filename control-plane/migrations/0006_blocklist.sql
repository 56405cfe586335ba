-- Up Migration

-- What no link may lead to, as the operator imported it, and how far the links are checked against it.

CREATE TABLE blocklist_lists (
  name text COLLATE "C" PRIMARY KEY,
  format text NOT NULL CHECK (format IN ('hosts', 'plain', 'urlhaus')),
  entries integer NOT NULL,
  imported_at timestamptz NOT NULL
);

-- A host, or a URL without its scheme (shared/resolve/blocklist.ts). One key may stand on several lists.
CREATE TABLE blocklist_entries (
  key text COLLATE "C" NOT NULL,
  list text COLLATE "C" NOT NULL REFERENCES blocklist_lists ON DELETE CASCADE,
  PRIMARY KEY (key, list)
);

CREATE INDEX blocklist_entries_list ON blocklist_entries (list);

-- One scan of all links at a time, in steps that any control plane may take. `cursor` is the last link looked at, null
-- where no scan is under way.
CREATE TABLE blocklist_scan (
  singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
  changed_at timestamptz,
  began_at timestamptz,
  cursor text COLLATE "C"
);

INSERT INTO blocklist_scan DEFAULT VALUES;
