import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { withClient } from '../../deploy/local/with-client.js';
import { createDatabase } from './database.js';
import { dumpSchema } from './dump-schema.js';

export const SCHEMA_FILE = fileURLToPath(new URL('../../../control-plane/migrations/schema.sql', import.meta.url));

/** The schema that all migrations together make, in a database of its own. */
export async function dumpMigratedSchema(): Promise<string> {
  const database = await createDatabase();
  try {
    return await withClient(database.url, dumpSchema);
  } finally {
    await database.drop();
  }
}

/** Returns whether the file stood as it should; with `check` it is left alone. */
export async function updateSchemaFile(check: boolean): Promise<boolean> {
  const current = await dumpMigratedSchema();
  if (readFileSync(SCHEMA_FILE, 'utf8') === current) return true;
  if (!check) writeFileSync(SCHEMA_FILE, current);
  return false;
}
