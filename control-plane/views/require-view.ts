import { isId } from '../../shared/base/ids.js';
import type { Queryable } from '../db/database.js';
import type { Caller } from '../http/authenticate.js';
import { refuse } from '../http/problems.js';
import { findView } from './sql.js';
import type { ViewRow } from './view-row.js';

interface ViewCall {
  readonly caller: Caller;
  readonly params: { readonly view: string };
}

export async function requireView({ caller, params }: ViewCall, database: Queryable, read = findView): Promise<ViewRow> {
  const row = isId('view', params.view) ? await read(database, caller.environment.id, params.view) : null;
  if (row === null) throw refuse('not_found', 'There is no such view in this environment.');
  return row;
}
