-- What visitors of a custom host get where no link leads them: {root, not_found, expired}.
ALTER TABLE domains
  ADD COLUMN redirects json NOT NULL DEFAULT '{}',
  ADD COLUMN blocked_urls text[] NOT NULL DEFAULT '{}',
  -- A path that leads nowhere is tried again in lower case.
  ADD COLUMN case_insensitive boolean NOT NULL DEFAULT false;
