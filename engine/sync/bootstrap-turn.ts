import type { ClientBase } from 'pg';
import { BOOTSTRAPS_MAX } from '../../shared/base/limits.js';

/** "boot", the first of the two numbers of an advisory lock. The second one is the slot, starting at 1. */
const TURN_LOCK = 0x626f_6f74;

/**
 * Takes one of the turns in which hosts copy all links, without waiting. The turn belongs to the session until its connection
 * ends, for whatever reason: PostgreSQL ends a session that is silent for a minute (`limitSilence`), for example that of a
 * machine which is gone.
 */
export async function tryTakeTurn(client: ClientBase): Promise<boolean> {
  for (let slot = 1; slot <= BOOTSTRAPS_MAX; slot++) {
    const { rows } = await client.query<{ taken: boolean }>({
      name: 'take_bootstrap_turn',
      text: 'SELECT pg_try_advisory_lock($1::integer, $2::integer) AS taken',
      values: [TURN_LOCK, slot],
    });
    if (rows[0]?.taken === true) return true;
  }
  return false;
}

/** Maximum silence of a session with a turn, in milliseconds. Two pages are at most seconds apart. */
const SILENT_MS_MAX = 60_000;

/** Makes PostgreSQL end the session, and with it its turn, after this time of silence. */
export async function limitSilence(client: ClientBase, milliseconds = SILENT_MS_MAX): Promise<void> {
  await client.query({ text: `SELECT set_config('idle_session_timeout', $1, false)`, values: [String(milliseconds)] });
}

/** Releases the turn for another host, and removes the limit on the session's silence. */
export async function giveTurnBack(client: ClientBase): Promise<void> {
  await client.query('SELECT pg_advisory_unlock_all()');
  await limitSilence(client, 0);
}
