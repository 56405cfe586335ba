import type pg from 'pg';
import { withClient } from './with-client.js';

export interface OwnedDatabase {
  readonly database: string;
  readonly owner: string;
  readonly password: string;
}

/** An ordinary role: it is not a superuser, and can create neither roles nor databases. Its password is the one that is stored on disk. */
async function ensureOwner(client: pg.Client, { owner, password }: OwnedDatabase): Promise<void> {
  const { rowCount } = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [owner]);
  if (!rowCount) await client.query(`CREATE ROLE ${client.escapeIdentifier(owner)}`);
  await client.query(
    `ALTER ROLE ${client.escapeIdentifier(owner)} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE PASSWORD ${client.escapeLiteral(password)}`,
  );
}

interface Ownership {
  readonly exists: boolean;
  readonly owned: boolean;
}

async function findOwnership(client: pg.Client, { database, owner }: OwnedDatabase): Promise<Ownership> {
  const { rows } = await client.query<{ owner: string }>('SELECT pg_get_userbyid(datdba) AS owner FROM pg_database WHERE datname = $1', [
    database,
  ]);
  return { exists: rows.length > 0, owned: rows[0]?.owner === owner };
}

/**
 * Statements that give the owner everything that a superuser created in the database: relations except indexes, sequences of columns and
 * those of extensions, which follow what they belong to; functions; types except those of relations and arrays. REASSIGN OWNED refuses this
 * for the role that initdb created.
 */
const HAND_OVER = `
  SELECT format('ALTER %s %s OWNER TO %I', CASE relkind WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW' WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END, oid::regclass, $1::text) AS statement
  FROM pg_class c
  WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'S')
    AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype IN ('a', 'i', 'e') AND (c.relkind = 'S' OR d.deptype = 'e'))
  UNION ALL
  SELECT format('ALTER ROUTINE %s OWNER TO %I', oid::regprocedure, $1::text) FROM pg_proc p
  WHERE pronamespace = 'public'::regnamespace
    AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e')
  UNION ALL
  SELECT format('ALTER TYPE %s OWNER TO %I', oid::regtype, $1::text) FROM pg_type t
  WHERE typnamespace = 'public'::regnamespace AND typtype IN ('e', 'd') AND typelem = 0
    AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.classid = 'pg_type'::regclass AND d.objid = t.oid AND d.deptype = 'e')`;

/** Runs in one transaction. Its last statement changes what `findOwnership` checks, so that a killed start begins again. */
async function handOver(client: pg.Client, { database, owner }: OwnedDatabase): Promise<void> {
  await client.query('BEGIN');
  const { rows } = await client.query<{ statement: string }>(HAND_OVER, [owner]);
  for (const { statement } of rows) await client.query(statement);
  await client.query(`ALTER DATABASE ${client.escapeIdentifier(database)} OWNER TO ${client.escapeIdentifier(owner)}`);
  await client.query('COMMIT');
}

/**
 * Creates the database and the role that owns it if they are missing. If an earlier release created the database as superuser, it is handed
 * over to the role with everything in it.
 */
export async function prepareDatabase(superuserUrl: (database: string) => string, wanted: OwnedDatabase): Promise<void> {
  const { exists, owned } = await withClient(superuserUrl('postgres'), async (client) => {
    await ensureOwner(client, wanted);
    const found = await findOwnership(client, wanted);
    if (!found.exists)
      await client.query(`CREATE DATABASE ${client.escapeIdentifier(wanted.database)} OWNER ${client.escapeIdentifier(wanted.owner)}`);
    return found;
  });
  if (exists && !owned) await withClient(superuserUrl(wanted.database), (client) => handOver(client, wanted));
}
