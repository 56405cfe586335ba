import { text } from '../language/text.js';
import { ApiError, type Connection, call, tagOf } from './client.js';
import type { Input, Output, ReadEndpoint } from './contract.js';

/**
 * The `ETag` of an object that a list shows. Lists do not include tags, so the object is read again. Throws with status 412 if it has
 * changed since the list was read.
 */
export async function tagOfRow<E extends ReadEndpoint>(
  connection: Connection,
  endpoint: E,
  input: Input<E>,
  shown: { readonly updated_at: string },
): Promise<string | undefined> {
  const now = (await call(connection, endpoint, input)) as Output<E> & { readonly updated_at: string };
  if (now.updated_at !== shown.updated_at)
    throw new ApiError(412, 'precondition_failed', text('It has been changed elsewhere. The list now shows its present state.'));
  return tagOf(now);
}
