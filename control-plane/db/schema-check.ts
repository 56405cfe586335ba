import type { PartHealth } from '../../shared/base/part-health.js';
import { type Database, DatabaseUnavailableError } from './database.js';
import { migrationNames, readAppliedMigrations } from './migrate.js';

/**
 * Checks whether the schema is the one that this build needs, or a newer one, that is, whether every migration of the build was run.
 * Schemas only go forward, so a positive result is not checked again.
 */
export function createSchemaCheck(database: Database): () => Promise<PartHealth> {
  let current = false;
  return async () => {
    try {
      const missing = current ? [] : await missingMigrations(database);
      current = missing.length === 0;
      return {
        part: 'schema',
        ok: current,
        reason: current ? '' : `migrations have not run yet (run "linkd migrate"): ${missing.join(', ')}`,
      };
    } catch (error) {
      if (!(error instanceof DatabaseUnavailableError)) throw error;
      return { part: 'schema', ok: false, reason: 'the schema cannot be checked because PostgreSQL cannot be reached' };
    }
  };
}

async function missingMigrations(database: Database): Promise<readonly string[]> {
  const names = await migrationNames();
  const applied = await readAppliedMigrations((text) => database.query<{ name: string }>({ text, values: [] }));
  return names.filter((name) => !applied.has(name));
}
