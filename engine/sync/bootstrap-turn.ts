import type { ClientBase } from 'pg';
import { BOOTSTRAPS_MAX } from '../../shared/base/limits.js';

/** "boot", the first of the two numbers of an advisory lock; the second one is the slot, from 1. */
const TURN_LOCK = 0x626f_6f74;

/**
 * Takes one of the turns in which hosts copy all links, without waiting. It is the session's until its connection ends, however
 * that comes about: PostgreSQL ends a session that says nothing for a minute (`limitSilence`), as that of a machine which is gone.
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

/** Of a session with a turn, in milliseconds. Between two pages there are seconds at most. */
const SILENT_MS_MAX = 60_000;

/** Makes PostgreSQL end the session, and with it its turn, once it has been silent for so long. */
export async function limitSilence(client: ClientBase, milliseconds = SILENT_MS_MAX): Promise<void> {
  await client.query({ text: `SELECT set_config('idle_session_timeout', $1, false)`, values: [String(milliseconds)] });
}

/** Lets another host have the turn, and the session be silent for as long as it likes. */
export async function giveTurnBack(client: ClientBase): Promise<void> {
  await client.query('SELECT pg_advisory_unlock_all()');
  await limitSilence(client, 0);
}
