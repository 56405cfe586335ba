import { withClient } from '../deploy/local/with-client.js';
import { withControlPlane, withProject } from './load/rest-service.js';
import { rotated, type Spread, spreadOf } from './load/statistics.js';

export interface ManyLinksBench {
  readonly links: number;
  readonly rounds: number;
  onStep(done: number, of: number, what: string): void;
}

/** One request in an environment with many links, over all rounds. */
export interface ManyLinksMeasurement {
  readonly request: string;
  readonly ms: Spread;
}

const PAGE_LINKS = 20;
const FAR_PAGE = 1_000;
const BULK_LINKS = 1_000;
/** Calls of one round, whose value is their median. */
const CALLS = 15;

/** Writes rows as the API makes them, in one statement: ids that count up, paths of seven characters. */
async function fill(databaseUrl: string, environmentId: string, links: number): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    await client.query({
      text: `INSERT INTO links (id, environment_id, path, deep_link_path, destinations, created_at, updated_at)
             SELECT 'lnk_01' || lpad(n::text, 24, '0'), $1, lpad(to_hex(n), 7, 'g'), '/p/1', '{"web":"https://example.com/a"}', now(), now()
             FROM generate_series(1, $2::integer) AS n`,
      values: [environmentId, links],
    });
    await client.query('VACUUM ANALYZE links');
  });
}

async function timed(work: () => Promise<Response>): Promise<number> {
  const before = performance.now();
  const answer = await work();
  await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`the API answered ${answer.status}`);
  return performance.now() - before;
}

/** Returns the cursor that leads to the far page, found as a client finds it. */
async function farCursor(list: (cursor: string | null) => Promise<Response>, onPage: (page: number) => void): Promise<string> {
  let cursor: string | null = null;
  for (let page = 1; page < FAR_PAGE; page++) {
    const answer = (await (await list(cursor)).json()) as { readonly next_cursor: string | null };
    cursor = answer.next_cursor;
    if (cursor === null) throw new Error(`there are fewer than ${FAR_PAGE} pages: ask for more links`);
    onPage(page);
  }
  return cursor as string;
}

/** Measures the first page of a long list beside a far one, and a bulk call of a thousand links into it. */
export function runManyLinks({ links, rounds, onStep }: ManyLinksBench): Promise<readonly ManyLinksMeasurement[]> {
  return withProject(async ({ databaseUrl, environmentId, secretKey }) => {
    onStep(0, FAR_PAGE, `${links} links are written`);
    await fill(databaseUrl, environmentId, links);
    return withControlPlane(databaseUrl, async ({ url }) => {
      const authorization = `Bearer ${secretKey}`;
      const list = (cursor: string | null) =>
        fetch(`${url}/links?limit=${PAGE_LINKS}${cursor === null ? '' : `&cursor=${cursor}`}`, { headers: { authorization } });
      const cursor = await farCursor(list, (page) => onStep(page, FAR_PAGE, 'the list is walked'));
      const body = JSON.stringify({
        links: Array.from({ length: BULK_LINKS }, () => ({ destinations: { web: 'https://example.com/a' } })),
      });
      const bulk = () =>
        fetch(`${url}/links/bulk`, { method: 'POST', headers: { authorization, 'content-type': 'application/json' }, body });
      const requests = [
        { request: 'page 1', send: () => list(null) },
        { request: `page ${FAR_PAGE}`, send: () => list(cursor) },
        { request: `bulk of ${BULK_LINKS}`, send: bulk },
      ];
      return runRounds(requests, rounds);
    });
  });
}

interface Request {
  readonly request: string;
  send(): Promise<Response>;
}

async function runRounds(requests: readonly Request[], rounds: number): Promise<readonly ManyLinksMeasurement[]> {
  const samples = new Map<Request, number[]>(requests.map((request) => [request, []]));
  // Round -1 warms up.
  for (let round = -1; round < rounds; round++)
    for (const request of rotated(requests, Math.max(0, round))) {
      const calls: number[] = [];
      for (let call = 0; call < CALLS; call++) calls.push(await timed(request.send));
      if (round >= 0) samples.get(request)?.push(spreadOf(calls).median);
    }
  return requests.map((request) => ({ request: request.request, ms: spreadOf(samples.get(request) as number[]) }));
}
