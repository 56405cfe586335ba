import type { ClientBase } from 'pg';

export interface UserAgentRow {
  /** As `clicks.user_agent_hash`. */
  readonly user_agent_hash: string;
  readonly user_agent: string;
  /** Day of the newest click, `2026-11-20`, UTC. */
  readonly last_day: string;
}

/**
 * Keeps the texts behind the hashes of user agents, in the transaction that stores their clicks. Rows are written in the
 * order of their hashes, so that two shippers that meet here never wait for each other.
 */
export async function rememberUserAgents(client: ClientBase, rows: readonly UserAgentRow[]): Promise<void> {
  await client.query({
    name: 'remember_user_agents',
    text: `
      INSERT INTO user_agents AS known (user_agent_hash, user_agent, last_day)
      SELECT hash, text, day FROM unnest($1::bigint[], $2::text[], $3::date[]) AS given (hash, text, day) ORDER BY hash
      ON CONFLICT (user_agent_hash) DO UPDATE SET last_day = excluded.last_day WHERE known.last_day < excluded.last_day`,
    values: [rows.map((row) => row.user_agent_hash), rows.map((row) => row.user_agent), rows.map((row) => row.last_day)],
  });
}
