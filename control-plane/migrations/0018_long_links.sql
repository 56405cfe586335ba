-- Long links: the hosts they may lead to, none by default, and the path of the link that their visits count for.
ALTER TABLE environments
  ADD COLUMN long_link_hosts text[] NOT NULL DEFAULT '{}',
  ADD COLUMN long_link_path text;
