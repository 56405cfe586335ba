import { type IdKind, isId } from '../../shared/base/ids.js';
import type { Queryable } from '../db/database.js';
import type { RowReader } from '../db/row-reader.js';
import type { Caller } from './authenticate.js';
import { noSuch } from './problems.js';

interface PathRow<Parameter extends string, Row> {
  /** The parameter of the path that holds the row's id. */
  readonly parameter: Parameter;
  readonly kind: IdKind;
  /** The noun for the row in refusals. */
  readonly noun: string;
  readonly find: RowReader<Row>;
}

interface PathCall<Parameter extends string> {
  readonly caller: Caller;
  readonly params: { readonly [Name in Parameter]: string };
}

/** Makes a reader of the row that a call's path names. It throws 404 if `read` does not find the row; `read` may also lock it. */
export function pathRowReader<Parameter extends string, Row>({ parameter, kind, noun, find }: PathRow<Parameter, Row>) {
  return async ({ caller, params }: PathCall<Parameter>, database: Queryable, read = find): Promise<Row> => {
    const id = params[parameter];
    const row = isId(kind, id) ? await read(database, caller.environment.id, id) : null;
    if (row === null) throw noSuch(noun);
    return row;
  };
}
