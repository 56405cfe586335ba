import { isId } from '../../shared/base/ids.js';
import type { Database } from '../db/database.js';
import { findEnvironment } from '../projects/projects.js';
import { CommandError, EXIT_NOT_FOUND } from './command-error.js';

/** The environment, or the command ends with exit code 3. */
export async function requireEnvironment(database: Database, id: string) {
  const environment = isId('environment', id) ? await findEnvironment(database, id) : null;
  if (environment === null)
    throw new CommandError(`there is no environment ${id}; see: linkd project list, linkd env show <project>`, EXIT_NOT_FOUND);
  return environment;
}
