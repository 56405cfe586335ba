import { compareBytes } from '../../shared/base/compare-bytes.js';
import { CASE_PAIRS_MAX, type CasePairs } from '../../shared/contract/schemas/case-pairs.js';
import { lowerCasePath } from '../../shared/resolve/normal-path.js';
import type { Queryable } from '../db/database.js';

type Pair = CasePairs['pairs'][number];

/** One more than an answer has, to know whether there are more. */
const PAIRS_READ = CASE_PAIRS_MAX + 1;

/**
 * Pairs of addresses that the host answers (paths of the environment's links, and aliases on the host), of which one is the other in lower
 * case. Two addresses that both have capitals are not a pair, because a path is tried only in lower case. Takes about a second if an
 * environment has a million links.
 */
export async function casePairs(database: Queryable, environmentId: string, hostname: string): Promise<CasePairs> {
  const plain = await plainPairs(database, environmentId, hostname);
  const pairs = firstOf([...plain, ...(await escapedPairs(database, environmentId, hostname))]);
  return { pairs: pairs.slice(0, CASE_PAIRS_MAX), more: pairs.length > CASE_PAIRS_MAX };
}

function firstOf(pairs: readonly Pair[]): readonly Pair[] {
  return pairs
    .toSorted((one, other) => compareBytes(one.lower_case_path, other.lower_case_path) || compareBytes(one.path, other.path))
    .slice(0, PAIRS_READ);
}

/** The first pairs of addresses without escapes, which are ASCII. */
async function plainPairs(database: Queryable, environmentId: string, hostname: string): Promise<readonly Pair[]> {
  const { rows } = await database.query<{ paths: readonly string[]; lower: string }>({
    name: 'case_pairs',
    text: `SELECT array_agg(path) AS paths, lower(path COLLATE "C") AS lower FROM (
             SELECT path FROM links WHERE environment_id = $1 AND state <> 'deleted'
             UNION SELECT normal_path FROM link_aliases WHERE environment_id = $1 AND host = $2 AND strpos(normal_path, '%') = 0
           ) AS address
           GROUP BY lower(path COLLATE "C") HAVING count(*) > 1 AND bool_or(path = lower(path COLLATE "C"))
           ORDER BY lower(path COLLATE "C") LIMIT $3`,
    values: [environmentId, hostname, PAIRS_READ],
  });
  return rows.flatMap(({ paths, lower }) =>
    paths.filter((path) => path !== lower).map((path) => ({ path: `/${path}`, lower_case_path: `/${lower}` })),
  );
}

const ANY_CASE = { case_insensitive: true };

/** Their lower case is computed here, some 3 µs each, and nothing else runs in the meantime. */
const ALIASES_AT_ONCE = 2_000;

/**
 * The first pairs of which the address with capitals has escapes. Only aliases do. PostgreSQL would compare the escapes, and not every
 * collation maps letters as link hosts do, so each of these aliases is read.
 */
async function escapedPairs(database: Queryable, environmentId: string, hostname: string): Promise<readonly Pair[]> {
  let pairs: readonly Pair[] = [];
  let after = '';
  for (;;) {
    const paths = await escapedAliases(database, environmentId, hostname, after);
    const candidates = paths.flatMap((path) => {
      const lower = lowerCasePath(`/${path}`, ANY_CASE);
      return lower === null ? [] : [{ path: `/${path}`, lower_case_path: lower }];
    });
    const known = await knownAddresses(database, environmentId, hostname, candidates);
    pairs = firstOf([...pairs, ...candidates.filter((pair) => known.has(pair.lower_case_path))]);
    if (paths.length < ALIASES_AT_ONCE) return pairs;
    after = paths.at(-1) as string;
  }
}

async function escapedAliases(database: Queryable, environmentId: string, hostname: string, after: string): Promise<readonly string[]> {
  const { rows } = await database.query<{ path: string }>({
    name: 'escaped_aliases',
    text: `SELECT normal_path AS path FROM link_aliases
           WHERE environment_id = $1 AND host = $2 AND normal_path > $3 AND strpos(normal_path, '%') > 0
           ORDER BY normal_path LIMIT $4`,
    values: [environmentId, hostname, after, ALIASES_AT_ONCE],
  });
  return rows.map(({ path }) => path);
}

/** Which of the addresses in lower case the host answers. */
async function knownAddresses(
  database: Queryable,
  environmentId: string,
  hostname: string,
  pairs: readonly Pair[],
): Promise<ReadonlySet<string>> {
  if (pairs.length === 0) return new Set();
  const { rows } = await database.query<{ path: string }>({
    name: 'known_addresses',
    text: `SELECT path FROM links WHERE environment_id = $1 AND path = ANY ($3::text[]) AND state <> 'deleted'
           UNION SELECT normal_path FROM link_aliases WHERE environment_id = $1 AND host = $2 AND normal_path = ANY ($3::text[])`,
    values: [environmentId, hostname, pairs.map((pair) => pair.lower_case_path.slice(1))],
  });
  return new Set(rows.map(({ path }) => `/${path}`));
}
