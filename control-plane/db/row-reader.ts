import type { Queryable, Statement } from './database.js';

/** The keys of most rows: the environment's id and their own. */
type EnvironmentKeys = [environmentId: string, id: string];

/** Reads the row with the keys. Returns null if there is none. */
export type RowReader<Row, Keys extends readonly string[] = EnvironmentKeys> = (database: Queryable, ...keys: Keys) => Promise<Row | null>;

/** Makes a reader from a statement that finds one row, and whose parameters are the keys. */
export function rowReader<Row, Keys extends readonly string[] = EnvironmentKeys>(
  statement: Omit<Statement, 'values'>,
): RowReader<Row, Keys> {
  return async (database, ...values) => {
    const { rows } = await database.query<Row>({ ...statement, values });
    return rows[0] ?? null;
  };
}
