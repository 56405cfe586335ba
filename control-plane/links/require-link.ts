import { isId } from '../../shared/base/ids.js';
import type { Queryable } from '../db/database.js';
import type { Caller } from '../http/authenticate.js';
import { refuse } from '../http/problems.js';
import type { LinkRow } from './link-row.js';
import { findLink } from './sql.js';

export interface LinkCall {
  readonly caller: Caller;
  readonly params: { readonly link: string };
}

/** The link that the call names. Throws 404 for one that `read` does not find. */
export async function requireLink({ caller, params }: LinkCall, database: Queryable, read = findLink): Promise<LinkRow> {
  const row = isId('link', params.link) ? await read(database, caller.environment.id, params.link) : null;
  if (row === null) throw refuse('not_found', 'There is no such link in this environment.');
  return row;
}
