import type { ClientBase } from 'pg';

/**
 * Returns the schema as text, read from PostgreSQL's catalogs: the same text for the same schema, on PostgreSQL 15 and
 * later, whatever the order of its migrations. It is for reading and comparing (`schema.sql` beside the migrations),
 * not for restoring. Left out are day partitions, which come and go; the migrations' own table; and NOT NULL as
 * separate constraints, which only PostgreSQL 18 has.
 *
 * pg_dump is not used, because the embedded server does not include it, and its text changes with its version.
 */
export async function dumpSchema(client: ClientBase): Promise<string> {
  // Without a search path, the catalogs' functions write every name in full.
  await client.query("SET search_path TO ''");
  try {
    const parts = [
      await dumpExtensions(client),
      await dumpTypes(client),
      await dumpFunctions(client),
      await dumpTables(client),
      await dumpViews(client),
    ];
    return `${[HEADER, ...parts.flat()].join('\n\n')}\n`;
  } finally {
    await client.query('RESET search_path');
  }
}

const HEADER = `-- The schema that the migrations of this folder make together. Written by: npm run schema:dump`;
const MIGRATIONS_TABLE = 'schema_migrations';

async function lines(client: ClientBase, statement: string, values: readonly unknown[] = []): Promise<readonly string[]> {
  const { rows } = await client.query<{ line: string }>(statement, [...values]);
  return rows.map((row) => row.line);
}

function dumpExtensions(client: ClientBase): Promise<readonly string[]> {
  return lines(
    client,
    `SELECT format('CREATE EXTENSION %I;', extname) AS line FROM pg_catalog.pg_extension WHERE extname <> 'plpgsql' ORDER BY extname COLLATE "C"`,
  );
}

function dumpTypes(client: ClientBase): Promise<readonly string[]> {
  return lines(
    client,
    `SELECT format('CREATE TYPE %s AS ENUM (%s);', format_type(type.oid, NULL),
              (SELECT string_agg(quote_literal(enumlabel), ', ' ORDER BY enumsortorder) FROM pg_catalog.pg_enum WHERE enumtypid = type.oid)) AS line
     FROM pg_catalog.pg_type AS type
     WHERE type.typtype = 'e' AND type.typnamespace = 'public'::regnamespace
     ORDER BY type.typname COLLATE "C"`,
  );
}

function dumpFunctions(client: ClientBase): Promise<readonly string[]> {
  return lines(
    client,
    `SELECT rtrim(pg_get_functiondef(oid), E'\\n') || ';' AS line
     FROM pg_catalog.pg_proc
     WHERE pronamespace = 'public'::regnamespace AND prokind IN ('f', 'p')
       AND NOT EXISTS (SELECT 1 FROM pg_catalog.pg_depend WHERE objid = pg_proc.oid AND deptype = 'e')
     ORDER BY proname COLLATE "C", pg_get_function_identity_arguments(oid) COLLATE "C"`,
  );
}

function dumpViews(client: ClientBase): Promise<readonly string[]> {
  return lines(
    client,
    `SELECT format('CREATE %sVIEW %s AS%s', CASE relkind WHEN 'm' THEN 'MATERIALIZED ' ELSE '' END, oid::regclass, E'\\n' || pg_get_viewdef(oid)) AS line
     FROM pg_catalog.pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind IN ('v', 'm')
     ORDER BY relname COLLATE "C"`,
  );
}

interface TableRow {
  readonly oid: string;
  readonly name: string;
  readonly unlogged: boolean;
  readonly partition_key: string | null;
  readonly options: string | null;
}

async function dumpTables(client: ClientBase): Promise<readonly string[]> {
  const { rows } = await client.query<TableRow>(
    `SELECT oid::text, oid::regclass::text AS name, relpersistence = 'u' AS unlogged, pg_get_partkeydef(oid) AS partition_key,
       array_to_string(ARRAY(SELECT unnest(reloptions) ORDER BY 1), ', ') AS options
     FROM pg_catalog.pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition AND relname <> $1
     ORDER BY relname COLLATE "C"`,
    [MIGRATIONS_TABLE],
  );
  const parts: string[] = [];
  for (const table of rows) parts.push(await dumpTable(client, table));
  return parts;
}

async function dumpTable(client: ClientBase, table: TableRow): Promise<string> {
  const members = [...(await dumpColumns(client, table.oid)), ...(await dumpConstraints(client, table.oid))];
  const partition = table.partition_key === null ? '' : ` PARTITION BY ${table.partition_key}`;
  const options = table.options ? ` WITH (${table.options})` : '';
  return [
    `CREATE ${table.unlogged ? 'UNLOGGED ' : ''}TABLE ${table.name} (\n${members.map((member) => `  ${member}`).join(',\n')}\n)${partition}${options};`,
    ...(await dumpIndexes(client, table.oid)),
    ...(await dumpTriggers(client, table.oid)),
    ...(await dumpComments(client, table.oid)),
  ].join('\n');
}

function dumpColumns(client: ClientBase, table: string): Promise<readonly string[]> {
  return lines(
    client,
    `SELECT concat_ws(' ', quote_ident(a.attname), format_type(a.atttypid, a.atttypmod),
       (SELECT 'COLLATE ' || quote_ident(c.collname) FROM pg_catalog.pg_collation AS c
        JOIN pg_catalog.pg_type AS t ON t.oid = a.atttypid WHERE c.oid = a.attcollation AND a.attcollation <> t.typcollation),
       CASE WHEN a.attnotnull THEN 'NOT NULL' END,
       CASE a.attidentity WHEN 'a' THEN 'GENERATED ALWAYS AS IDENTITY' WHEN 'd' THEN 'GENERATED BY DEFAULT AS IDENTITY' END,
       CASE WHEN a.attgenerated = 's' THEN format('GENERATED ALWAYS AS (%s) STORED', pg_get_expr(d.adbin, d.adrelid))
            WHEN d.adbin IS NOT NULL THEN 'DEFAULT ' || pg_get_expr(d.adbin, d.adrelid) END) AS line
     FROM pg_catalog.pg_attribute AS a
     LEFT JOIN pg_catalog.pg_attrdef AS d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
     WHERE a.attrelid = $1::oid AND a.attnum > 0 AND NOT a.attisdropped
     ORDER BY a.attnum`,
    [table],
  );
}

function dumpConstraints(client: ClientBase, table: string): Promise<readonly string[]> {
  return lines(
    client,
    `SELECT format('CONSTRAINT %I %s', conname, pg_get_constraintdef(oid)) AS line
     FROM pg_catalog.pg_constraint
     WHERE conrelid = $1::oid AND contype IN ('p', 'u', 'c', 'f', 'x')
     ORDER BY position(contype::text IN 'pucfx'), conname COLLATE "C"`,
    [table],
  );
}

function dumpIndexes(client: ClientBase, table: string): Promise<readonly string[]> {
  return lines(
    client,
    `SELECT pg_get_indexdef(indexrelid) || ';' AS line
     FROM pg_catalog.pg_index
     WHERE indrelid = $1::oid AND NOT EXISTS (SELECT 1 FROM pg_catalog.pg_constraint WHERE conindid = indexrelid AND contype IN ('p', 'u', 'x'))
     ORDER BY indexrelid::regclass::text COLLATE "C"`,
    [table],
  );
}

function dumpTriggers(client: ClientBase, table: string): Promise<readonly string[]> {
  return lines(
    client,
    `SELECT pg_get_triggerdef(oid) || ';' AS line FROM pg_catalog.pg_trigger WHERE tgrelid = $1::oid AND NOT tgisinternal ORDER BY tgname COLLATE "C"`,
    [table],
  );
}

function dumpComments(client: ClientBase, table: string): Promise<readonly string[]> {
  return lines(
    client,
    `SELECT format('COMMENT ON %s IS %L;',
       CASE objsubid WHEN 0 THEN 'TABLE ' || objoid::regclass
         ELSE format('COLUMN %s.%I', objoid::regclass, (SELECT attname FROM pg_catalog.pg_attribute WHERE attrelid = objoid AND attnum = objsubid)) END,
       description) AS line
     FROM pg_catalog.pg_description
     WHERE classoid = 'pg_catalog.pg_class'::regclass AND objoid = $1::oid
     ORDER BY objsubid`,
    [table],
  );
}
