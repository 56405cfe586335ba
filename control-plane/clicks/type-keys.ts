import { uuidToId } from '../../shared/base/ids.js';
import type { Queryable } from '../db/database.js';

interface TypedRow {
  /** As `uuid`. */
  readonly resource_type_id: string | null;
}

/** Keys of resource types by the `uuid` in the click log. Each is read once, because keys never change. */
export class TypeKeys {
  readonly #keys = new Map<string, string>();

  /** Returns the rows with the keys of their types. If a type no longer exists, its id is used. */
  async named<Row extends TypedRow>(
    database: Queryable,
    rows: readonly Row[],
  ): Promise<readonly (Row & { readonly resource_type: string | null })[]> {
    const ids = new Set(
      rows.flatMap(({ resource_type_id }) => (resource_type_id === null ? [] : uuidToId('resourceType', resource_type_id))),
    );
    const unread = [...ids].filter((id) => !this.#keys.has(id));
    if (unread.length > 0) for (const { id, key } of await readKeysOfTypes(database, unread)) this.#keys.set(id, key);
    return rows.map((row) => ({ ...row, resource_type: this.#nameOf(row) }));
  }

  #nameOf({ resource_type_id }: TypedRow): string | null {
    if (resource_type_id === null) return null;
    const id = uuidToId('resourceType', resource_type_id);
    return this.#keys.get(id) ?? id;
  }
}

/** Reads the keys of resource types. Types that no longer exist are left out. */
export async function readKeysOfTypes(database: Queryable, ids: readonly string[]): Promise<readonly { id: string; key: string }[]> {
  const { rows } = await database.query<{ id: string; key: string }>({
    name: 'read_keys_of_types',
    text: 'SELECT id, key FROM resource_types WHERE id = ANY ($1)',
    values: [ids],
  });
  return rows;
}
