import { withClient } from '../deploy/local/with-client.js';
import { type RequestTimes, requestTimes } from './load/request-times.js';
import { withControlPlane, withProject } from './load/rest-service.js';

export interface LinkListsBench {
  readonly links: number;
  onStep(done: number, of: number, what: string): void;
}

export interface LinkListsResult {
  readonly links: number;
  /** Seconds that it took to write the links and their indexes. */
  readonly filled_seconds: number;
  readonly search_index_mb: number;
  readonly requests: readonly RequestTimes[];
}

/**
 * Links of a shop: one in a hundred is tagged `rare`, one in two `usual`; every one leads to a page of its own on one of twenty
 * hosts, and has a title of common words and one rare word. One in fifty leads elsewhere in two countries.
 */
const FILL = `
  INSERT INTO tags (id, environment_id, name, created_at, updated_at)
  SELECT new_id('tag_', now()), $1, name, now(), now() FROM unnest(ARRAY['rare', 'usual']) AS name`;
const FILL_LINKS = `
  INSERT INTO links (id, environment_id, path, deep_link_path, destinations, geo, title, tag_numbers, created_at, updated_at)
  SELECT new_id('lnk_', now() - make_interval(secs => $2::integer - n)), $1, 'p' || n, '/',
    json_build_object('web', 'https://shop' || n % 20 || '.example.com/products/' || md5(n::text)),
    CASE WHEN n % 50 = 0 THEN json_build_object(
      'AT', 'https://laden' || n % 20 || '.example.at/produkte/' || md5('AT' || n), 'FR', 'https://boutique.example.fr/' || n) END,
    CASE WHEN n % 3 = 0 THEN 'Spring sale of number ' || n ELSE NULL END,
    CASE WHEN n % 100 = 0 THEN ARRAY[(SELECT number FROM tags WHERE name = 'rare')]
         WHEN n % 2 = 0 THEN ARRAY[(SELECT number FROM tags WHERE name = 'usual')] ELSE '{}' END,
    now(), now()
  FROM generate_series($3::integer, $4::integer) AS n`;
/** Two links in three were clicked on, the newest among them; most of them a few times. */
const FILL_CLICKS = `
  UPDATE link_clicks SET human = 1 + floor(1000000 / (1 + place % 500000)) FROM (
    SELECT link_id, row_number() OVER (ORDER BY link_id DESC) AS place FROM link_clicks
  ) AS placed WHERE placed.link_id = link_clicks.link_id AND place % 6 < 4`;

const CHUNK = 50_000;

/** Fills an environment with links, and asks for lists of them as a dashboard would. */
export function runLinkLists({ links, onStep }: LinkListsBench): Promise<LinkListsResult> {
  return withProject(async ({ databaseUrl, environmentId, secretKey, postgresPid }) => {
    const filled = await withClient(databaseUrl, async (client) => {
      const beganAt = performance.now();
      await client.query(FILL, [environmentId]);
      for (let from = 1; from <= links; from += CHUNK) {
        onStep(from, links, 'links are written');
        await client.query(FILL_LINKS, [environmentId, links, from, Math.min(links, from + CHUNK - 1)]);
      }
      await client.query(FILL_CLICKS);
      await client.query('VACUUM ANALYZE links, link_clicks');
      const filled_seconds = (performance.now() - beganAt) / 1000;
      const { rows } = await client.query<{ mb: number }>(`SELECT (pg_relation_size('links_search') / 1048576)::integer AS mb`);
      return { filled_seconds, search_index_mb: rows[0]?.mb ?? 0 };
    });
    return withControlPlane(databaseUrl, async ({ url }) => {
      const requests = await requestTimes(url, pathsOf(links), secretKey, postgresPid);
      return { links, ...filled, requests };
    });
  });
}

function pathsOf(links: number): readonly string[] {
  return [
    '/links',
    '/links?sort=name',
    '/links?sort=name&order=desc',
    '/links?sort=clicks',
    '/links?sort=clicks&order=asc&include=clicks&limit=100',
    '/links?include=clicks&limit=100',
    '/links?sort=clicks&tag=rare',
    '/links?sort=clicks&tag=usual',
    '/links?sort=clicks&search=c4ca4238a0b9',
    '/links?sort=clicks&status=disabled',
    `/links?search=p${links - 7}`,
    `/links?search=number%20${Math.floor(links / 6) * 3}`,
    '/links?search=c4ca4238a0b9',
    '/links?search=shop7.example',
    `/links?search=boutique.example.fr/${Math.floor(links / 100) * 50}`,
    '/links?search=laden10.example.at',
    '/links?search=https',
    '/links?search=spring%20sale',
    '/links?search=no%20such%20link%20at%20all',
    '/links?search=sale%20of%20number%20499998',
    '/links?search=https%3A%2F%2Fshop1.example.com%2Fproducts%2Fc4ca4238a0b9',
    '/links?search=zq',
    '/links?search=usua',
    '/links?tag=rare',
    '/links?tag=usual',
    '/links?tag=rare&search=spring&sort=name',
  ];
}
