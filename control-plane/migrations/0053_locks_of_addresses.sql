-- An address belongs to one link, as its own or as an alias, and no unique index spans both. So each address is under a lock that ends with
-- its transaction: links are made, moved and brought back under a shared one, and aliases are given under an exclusive one.

-- The key of the lock that a path is under, on all hosts of the environment. Several paths share a lock, so that a call of a thousand links holds
-- 64 of them at most: PostgreSQL makes room for as many in each transaction (max_locks_per_transaction).
CREATE FUNCTION address_lock(environment_id text, path text) RETURNS bigint
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT hashtextextended('addresses/' || environment_id, hashtext(path) & 63)
$$;

-- Locks the address of a link that is made. Returns whether it is free of aliases: a link that has one there is committed by then.
CREATE FUNCTION lock_address(environment_id text, host text, path text) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(address_lock($1, $3));
  -- A statement of its own: its snapshot is newer than the lock. That of the caller's statement is older.
  RETURN NOT EXISTS (SELECT FROM link_aliases AS alias WHERE alias.environment_id = $1 AND alias.host = $2 AND alias.normal_path = $3);
END
$$;
