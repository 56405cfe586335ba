import type pg from 'pg';
import type { Test } from 'tap';
import { createPool, type Database, createDatabase as databaseOf, type Queryable } from '../../control-plane/db/database.js';
import { connect } from './click-log.js';
import { createDatabase } from './database.js';

/** A database and one connection to it, also in the form in which the control plane queries it. Both end with the test. */
export interface OpenDatabase {
  readonly client: pg.Client;
  readonly database: Queryable;
}

export async function openDatabase(t: Test): Promise<OpenDatabase> {
  const own = await createDatabase();
  const client = await connect(own.url);
  t.teardown(async () => {
    await client.end();
    await own.drop();
  });
  const query = ({ text, values }: { readonly text: string; readonly values: readonly unknown[] }) =>
    client.query({ text, values: [...values] }) as never;
  return { client, database: { query } };
}

/** A database at a URL, one connection to it, and a pool of two, whose statements may be transactions. All end with the test. */
export interface PooledDatabase {
  readonly url: string;
  readonly client: pg.Client;
  readonly database: Database;
}

export async function openPooledDatabase(t: Test): Promise<PooledDatabase> {
  const own = await createDatabase();
  const client = await connect(own.url);
  const pool = createPool(own.url, 2, 'test', () => {});
  t.teardown(async () => {
    await client.end();
    await pool.end();
    await own.drop();
  });
  return { url: own.url, client, database: databaseOf(pool) };
}
