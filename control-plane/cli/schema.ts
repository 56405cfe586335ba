import { isOfOtherSchema } from '../db/database.js';
import { CommandError } from './command-error.js';
import type { ProgramDependencies } from './run.js';

export function olderSchema(pending: readonly string[]): string {
  return `migrations have not run yet; run "linkd migrate": ${pending.join(', ')}`;
}

/**
 * Returns a `CommandError` of one line in place of an error that the difference between the schema and this build explains. Returns any
 * other error as it is. Looks for a difference only after an error, because most commands work with the schema of another release.
 */
export async function explained(error: unknown, { schemaDifference }: Pick<ProgramDependencies, 'schemaDifference'>): Promise<unknown> {
  if (!isOfOtherSchema(error)) return error;
  try {
    const { pending, unknown } = await schemaDifference();
    if (pending.length > 0) return new CommandError(olderSchema(pending));
    if (unknown.length > 0)
      return new CommandError(`the schema is that of a newer release; run "linkd" of that release: ${unknown.join(', ')}`);
    return error;
  } catch (failure) {
    return failure;
  }
}
