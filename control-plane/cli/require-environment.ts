import { isId } from '../../shared/base/ids.js';
import type { Database } from '../db/database.js';
import { findEnvironment } from '../projects/projects.js';
import { CommandError, EXIT_NOT_FOUND } from './command-error.js';

/** Returns the environment. Throws a `CommandError` with exit code 3 if there is none. */
export async function requireEnvironment(database: Database, id: string) {
  const environment = isId('environment', id) ? await findEnvironment(database, id) : null;
  if (environment === null)
    throw new CommandError(`there is no environment ${id}; see: linkd project list, linkd env show <project>`, EXIT_NOT_FOUND);
  return environment;
}
