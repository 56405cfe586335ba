import type pg from 'pg';

/**
 * PostgreSQL's clock, which a test can stop and move: functions that read the time from a table hide its own.
 * Connections that were made before keep the real clock, and so do all while it is not stopped.
 */
export class DatabaseClock {
  readonly #pool: pg.Pool;
  #nowMs = 0;

  private constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  static async of(pool: pg.Pool): Promise<DatabaseClock> {
    const { rows } = await pool.query('SELECT current_database() AS name');
    const hidden = ['clock_timestamp', 'statement_timestamp', 'now'].map(
      (name) => `CREATE FUNCTION held.${name}() RETURNS timestamptz LANGUAGE sql STABLE
        AS 'SELECT coalesce((SELECT at FROM held.clock), pg_catalog.${name}())'`,
    );
    await pool.query(
      `CREATE SCHEMA held; CREATE TABLE held.clock (at timestamptz NOT NULL); ${hidden.join('; ')};
       ALTER DATABASE "${rows[0].name}" SET search_path = public, held, pg_catalog`,
    );
    return new DatabaseClock(pool);
  }

  /** Milliseconds since the epoch. */
  now(): number {
    return this.#nowMs;
  }

  /** Stops the clock. */
  async hold(atMs = Date.now()): Promise<void> {
    this.#nowMs = atMs;
    await this.#pool.query('INSERT INTO held.clock VALUES ($1)', [new Date(atMs)]);
  }

  async advance(milliseconds: number): Promise<void> {
    this.#nowMs += milliseconds;
    await this.#pool.query('UPDATE held.clock SET at = $1', [new Date(this.#nowMs)]);
  }

  /** Lets the clock run again. */
  async release(): Promise<void> {
    await this.#pool.query('DELETE FROM held.clock');
  }
}
