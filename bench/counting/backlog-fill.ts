import type pg from 'pg';
import { shardOf } from '../../control-plane/click-figures/shards.js';
import { findEnvironmentNumber } from '../../control-plane/projects/projects.js';
import { REFERRER_HOSTS, VISITOR_PLATFORMS } from './visit-plan.js';

export interface BacklogFill {
  readonly links: number;
  readonly clicks: number;
  onClicks(filled: number): void;
}

/** Clicks that one shipping transaction stores. */
const BATCH_CLICKS = 50_000;
/** Clicks per second of those that wait. */
const RATE = 20_000;

/** Writes clicks on links, each by a different visitor, spread evenly over the time up to now, in batches that wait to be counted. */
export async function fillBacklog(client: pg.Client, environmentId: string, { links, clicks, onClicks }: BacklogFill): Promise<void> {
  const environmentNumber = await findEnvironmentNumber(client, environmentId);
  const fromMs = Date.now() - Math.ceil((clicks * 1000) / RATE);
  // Whole numbers as long as possible, because an instant that is rounded down would leave a click out of its batch.
  const instant = (click: number) => new Date(fromMs + Math.floor((click * 1000) / RATE));
  for (const day of new Set([fromMs, Date.now()].map((ms) => new Date(ms).toISOString().slice(0, 10))))
    await client.query("SELECT ensure_day_partition('clicks', $1::date)", [day]);
  const insert = await insertClicks(client);
  for (let from = 0; from < clicks; from += BATCH_CLICKS) {
    const count = Math.min(BATCH_CLICKS, clicks - from);
    await client.query('BEGIN');
    const { rows } = await client.query<{ batch_id: string }>(
      'INSERT INTO click_batches (shard, clicks, from_at, to_at) VALUES ($1, $2, $3, $4) RETURNING batch_id',
      [shardOf(environmentNumber), count, instant(from), instant(from + count - 1)],
    );
    await client.query(insert, [environmentNumber, rows[0]?.batch_id, from, count, instant(0), links]);
    await client.query('COMMIT');
    onClicks(from + count);
  }
  await client.query('VACUUM ANALYZE clicks');
  await client.query('CHECKPOINT');
}

/** The link that a click names. It does not exist, but counting does not check that. */
const LINK_UUID = `('00000001-0000-0000-0000-' || lpad(to_hex(link), 12, '0'))::uuid`;

const listOf = (values: readonly string[]): string => `ARRAY['${values.join("', '")}']`;
const oneOf = (values: readonly string[], number: string): string => `(${listOf(values)})[1 + ${number} % ${values.length}]`;

/** The columns of `clicks` for a visit on a phone or a desktop. Those that are missing here are null. */
const VALUES: Readonly<Record<string, string>> = {
  id: 'gen_random_uuid()',
  occurred_at: `date_trunc('milliseconds', $5::timestamptz + n * interval '${1_000_000 / RATE} microseconds')`,
  environment_number: '$1::integer',
  kind: `'link'`,
  subject_id: LINK_UUID,
  host: `'go.bench.example'`,
  path: `'bench' || link`,
  platform: oneOf(VISITOR_PLATFORMS, 'n'),
  os_version: `'18.1'`,
  bot: 'false',
  referrer_host: oneOf(REFERRER_HOSTS, 'referrer'),
  params_dropped: 'false',
  destination: `'https://destination.example/item/' || link`,
  address_hash: `decode(lpad(to_hex(n), 16, '0'), 'hex')`,
  visitor_hash: 'hashint8extended(n, 7)',
  batch_id: '$2::bigint',
  user_agent_hash: 'n % 3',
};

/** $1 environment, $2 batch, $3 first click, $4 how many, $5 instant of the first of all, $6 links. Only columns that the table has. */
async function insertClicks(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT attname AS name FROM pg_attribute WHERE attrelid = 'clicks'::regclass AND attnum > 0 AND NOT attisdropped`,
  );
  const columns = rows.map(({ name }) => name).filter((name) => Object.hasOwn(VALUES, name));
  return `
    INSERT INTO clicks (${columns.join(', ')})
    SELECT ${columns.map((name) => VALUES[name]).join(', ')}
    FROM (
      SELECT n, floor(random() * $6::integer)::integer AS link, floor(random() * ${REFERRER_HOSTS.length})::integer AS referrer
      FROM generate_series($3::bigint, $3::bigint + $4::integer - 1) AS n
    ) AS click`;
}
