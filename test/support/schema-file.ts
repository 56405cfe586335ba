import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { withClient } from '../../deploy/local/with-client.js';
import { createDatabase } from './database.js';
import { dumpSchema } from './dump-schema.js';

export const SCHEMA_FILE = fileURLToPath(new URL('../../../control-plane/migrations/schema.sql', import.meta.url));

/** Returns the schema that all migrations together create, from a separate database. */
export async function dumpMigratedSchema(): Promise<string> {
  const database = await createDatabase();
  try {
    return await withClient(database.url, dumpSchema);
  } finally {
    await database.drop();
  }
}

/** Returns whether the file was as it should be. With `check` it is not changed. */
export async function updateSchemaFile(check: boolean): Promise<boolean> {
  const current = await dumpMigratedSchema();
  if (readFileSync(SCHEMA_FILE, 'utf8') === current) return true;
  if (!check) writeFileSync(SCHEMA_FILE, current);
  return false;
}
