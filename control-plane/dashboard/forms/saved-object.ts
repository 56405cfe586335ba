import { useQueryClient } from '@tanstack/react-query';
import { call, tagOf } from '../api/client.js';
import type { Input, Output, ReadEndpoint } from '../api/contract.js';
import { pathOf } from '../session/queries.js';
import { useConnection } from '../session/signed-in.js';
import type { Saved } from './draft-form.js';
import type { FieldValues } from './field-values.js';

interface SavedObject {
  readonly initial: FieldValues;
  readonly tag: string | undefined;
  readonly reread: () => Promise<Saved>;
}

/**
 * What a form needs to know about the object that it edits: its fields, its tag, and how to read both again. The object is null if it does
 * not exist yet.
 */
export function useSavedObject<E extends ReadEndpoint, Object extends Output<E> & object, Found extends Object | null>(
  endpoint: E,
  input: Input<E>,
  object: Found,
  valuesOf: (object: Found | Object) => FieldValues,
): SavedObject {
  const { environment, connection } = useConnection();
  const client = useQueryClient();
  return {
    initial: valuesOf(object),
    tag: object === null ? undefined : tagOf(object),
    async reread() {
      const now = (await call(connection, endpoint, input)) as Object;
      client.setQueryData([environment, pathOf(endpoint), input], now);
      return { values: valuesOf(now), tag: tagOf(now) };
    },
  };
}
