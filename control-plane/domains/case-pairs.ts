import { CASE_PAIRS_MAX, type CasePairs } from '../../shared/contract/schemas/case-pairs.js';
import { lowerCasePath } from '../../shared/resolve/normal-path.js';
import type { Queryable } from '../db/database.js';

const ANY_CASE = { case_insensitive: true };

/**
 * Pairs of addresses that the host answers (paths of the environment's links, and aliases on the host), of which one is the other in lower
 * case. Takes about a second if an environment has a million links.
 */
export async function casePairs(database: Queryable, environmentId: string, hostname: string): Promise<CasePairs> {
  const { rows } = await database.query<{ paths: readonly string[] }>({
    name: 'case_pairs',
    // Escaped letters are compared below.
    text: `SELECT array_agg(path ORDER BY path) AS paths FROM (
             SELECT path FROM links WHERE environment_id = $1 AND state <> 'deleted'
             UNION SELECT normal_path FROM link_aliases WHERE environment_id = $1 AND host = $2
           ) AS address
           GROUP BY lower(path COLLATE "C") HAVING count(*) > 1 ORDER BY lower(path COLLATE "C") LIMIT $3`,
    values: [environmentId, hostname, CASE_PAIRS_MAX + 1],
  });
  const pairs = rows.flatMap(({ paths }) => pairsOf(paths.map((path) => `/${path}`)));
  return { pairs: pairs.slice(0, CASE_PAIRS_MAX), more: pairs.length > CASE_PAIRS_MAX || rows.length > CASE_PAIRS_MAX };
}

/** Two addresses that both have capitals are not a pair, because a path is tried only in lower case. */
function pairsOf(paths: readonly string[]): CasePairs['pairs'] {
  return paths.flatMap((path) => {
    const lower = lowerCasePath(path, ANY_CASE);
    return lower !== null && paths.includes(lower) ? { path, lower_case_path: lower } : [];
  });
}
