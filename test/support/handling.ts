import type { Operation } from '../../control-plane/http/operation.js';
import type { OperationId } from '../../shared/contract/routes.js';

/** Returns the handler of an operation that has one, to be called without a server. */
export function handling<Id extends OperationId>(operation: Operation<Id>): Extract<Operation<Id>, { handle: unknown }>['handle'] {
  if (!('handle' in operation)) throw new Error('the operation is planned before it has its effect');
  return operation.handle;
}
