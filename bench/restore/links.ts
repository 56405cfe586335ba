import { Client } from 'undici';
import { withClient } from '../../deploy/local/with-client.js';
import { LIVE_LINK_HOST } from '../load/rest-service.js';

const CHUNK = 200_000;
const CONNECTIONS = 16;

/** Rows as the API makes them. The rows of one statement follow those of the one before. */
const FILL = `
  INSERT INTO links (id, environment_id, path, deep_link_path, destinations, created_at, updated_at)
  SELECT 'lnk_01' || lpad(n::text, 24, '0'), $1, 'p' || lpad(to_hex(n), 7, '0'), '/p/' || n,
    json_build_object('web', 'https://shop' || n % 20 || '.example.com/products/' || n), now(), now()
  FROM generate_series($2::integer, $3::integer) AS n`;

export const pathOf = (number: number): string => `p${number.toString(16).padStart(7, '0')}`;
export const destinationOf = (number: number): string => `https://shop${number % 20}.example.com/products/${number}`;

export interface FilledLinks {
  readonly from: number;
  readonly to: number;
  onLink(number: number): void;
}

/** Links with the numbers `from` to `to`. */
export async function fillLinks(databaseUrl: string, environmentId: string, { from, to, onLink }: FilledLinks): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    for (let next = from; next <= to; next += CHUNK) {
      await client.query(FILL, [environmentId, next, Math.min(to, next + CHUNK - 1)]);
      onLink(Math.min(to, next + CHUNK - 1));
    }
    await client.query('VACUUM ANALYZE links, link_clicks');
  });
}

/** Visits the links; returns how many led where they should. */
export async function visitLinks(port: number, numbers: readonly number[]): Promise<number> {
  const waiting = [...numbers];
  let right = 0;
  const work = async () => {
    const client = new Client(`http://127.0.0.1:${port}`);
    try {
      for (let number = waiting.pop(); number !== undefined; number = waiting.pop()) if (await leadsOn(client, number)) right++;
    } finally {
      await client.close();
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, work));
  return right;
}

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36';

async function leadsOn(client: Client, number: number): Promise<boolean> {
  const headers = { host: LIVE_LINK_HOST, 'user-agent': BROWSER, 'x-forwarded-for': '198.51.100.7' };
  const { statusCode, headers: answered, body } = await client.request({ path: `/${pathOf(number)}`, method: 'GET', headers });
  await body.dump();
  return statusCode === 302 && answered.location === destinationOf(number);
}

/** Returns this many numbers up to `links`, evenly spread. */
export function sampleOf(links: number, count: number): readonly number[] {
  const size = Math.min(links, count);
  return Array.from({ length: size }, (_, index) => 1 + Math.floor((index * links) / size));
}
