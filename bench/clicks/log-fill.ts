import type { ClientBase } from 'pg';
import { shardOf } from '../../control-plane/click-figures/shards.js';
import { findEnvironmentNumber } from '../../control-plane/projects/projects.js';
import { withClient } from '../../deploy/local/with-client.js';
import { uuidToId } from '../../shared/base/ids.js';

/** What the generated clicks are about. */
export interface FilledLog {
  readonly links: readonly string[];
  readonly campaignId: string;
}

export const LOG_DAYS = 30;
/** The numbers of what is clicked, and how many there are of each. */
export const LINKS = 100_000;
/** Ranks of the links that exist, most clicked first. Of the others there are only clicks. */
const LINK_NUMBERS = [0, 10, 1000, 50_000];
export const CAMPAIGNS = 20;
/** Items of the first type get clicks as products do; those of the second all get the same number, which is the hard case for a top ten. */
const TYPES = ['product', 'flat'] as const;
export const ITEMS = 1_000_000;
/** Their hashes are 1 to this number, and each has as many clicks. */
export const USER_AGENTS = 20;

/** A uuid of the kind with a number, as SQL. */
const uuid = (kind: number, number: string) => `lpad(to_hex(${kind}), 8, '0')::text || lpad(to_hex((${number})::bigint), 24, '0')`;
const uuidOf = (kind: number, number: number) =>
  `${kind.toString(16).padStart(8, '0')}-0000-0000-0000-${number.toString(16).padStart(12, '0')}`;
export const LINK = 1;
export const TYPE = 2;
export const TEMPLATE = 3;

/**
 * Writes clicks of thirty days up to now, as many each day, with one statement a day: two thirds on links, whose
 * popularity falls as that of real links does (a few have most), one third on items of two types; one in ten by a
 * program, three in ten of a campaign and of a newsletter; five browsers, 60 countries, 2,000 referrers; as many
 * visitors a day as 60 % of its clicks. Columns are as wide as in the field: some 250 bytes a row.
 */
export function fillLog(
  databaseUrl: string,
  environmentId: string,
  clicks: number,
  onDay: (day: number) => void,
  linkNumbers: readonly number[] = LINK_NUMBERS,
): Promise<FilledLog> {
  return withClient(databaseUrl, async (client) => {
    const filled = await makeObjects(client, environmentId, linkNumbers);
    const environmentNumber = await findEnvironmentNumber(client, environmentId);
    const perDay = Math.floor(clicks / LOG_DAYS);
    for (let day = LOG_DAYS - 1; day >= 0; day--) {
      await client.query("SELECT ensure_day_partition('clicks', (now() AT TIME ZONE 'UTC')::date - $1::integer)", [day]);
      await client.query(DAY, [environmentNumber, day, perDay, 0]);
      onDay(LOG_DAYS - day);
    }
    await client.query('VACUUM ANALYZE clicks');
    return filled;
  });
}

/** Makes what the clicks are about. */
export async function makeObjects(
  client: ClientBase,
  environmentId: string,
  linkNumbers: readonly number[] = LINK_NUMBERS,
): Promise<FilledLog> {
  await client.query(OBJECTS, [environmentId, TYPES.map((_, index) => uuidToId('resourceType', uuidOf(TYPE, index))), TYPES]);
  const links = linkNumbers.map((number) => uuidToId('link', uuidOf(LINK, number)));
  await client.query(
    `INSERT INTO links (id, environment_id, path, deep_link_path, created_at, updated_at)
     SELECT id, $1, 'bench' || n, '/', now(), now() FROM unnest($2::text[]) WITH ORDINALITY AS link (id, n)`,
    [environmentId, links],
  );
  const campaign = await client.query<{ id: string }>(`SELECT id FROM campaigns WHERE key = 'c1'`);
  return { links, campaignId: campaign.rows[0]?.id as string };
}

/** Writes clicks of today as a batch that waits to be counted. Their visitors are among those of `fillLog`, if it wrote more. */
export function fillBatch(databaseUrl: string, environmentId: string, clicks: number): Promise<void> {
  return withClient(databaseUrl, async (client) => {
    const environmentNumber = await findEnvironmentNumber(client, environmentId);
    await client.query('BEGIN');
    const { rows } = await client.query<{ batch_id: string }>(
      `INSERT INTO click_batches (shard, clicks, from_at, to_at)
       VALUES ($1, $2, date_trunc('day', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC', now()) RETURNING batch_id`,
      [shardOf(environmentNumber), clicks],
    );
    await client.query(DAY, [environmentNumber, 0, clicks, rows[0]?.batch_id]);
    await client.query('COMMIT');
  });
}

const OBJECTS = `
  WITH types AS (
    INSERT INTO resource_types (id, environment_id, key, name, created_at, updated_at)
    SELECT id, $1, key, key, now(), now() FROM unnest($2::text[], $3::text[]) AS type (id, key)
  )
  INSERT INTO campaigns (id, environment_id, key, name, created_at, updated_at)
  SELECT new_id('cmp_', now()), $1, 'c' || n, 'c' || n, now(), now() FROM generate_series(0, ${CAMPAIGNS - 1}) AS n`;

/** $1 environment, $2 days ago, $3 clicks, $4 batch. Today ends now. */
const DAY = `
  WITH span AS (
    SELECT ((now() AT TIME ZONE 'UTC')::date - $2::integer)::timestamp AT TIME ZONE 'UTC' AS from_at,
      CASE $2::integer WHEN 0 THEN now() - (date_trunc('day', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC') ELSE interval '23:59:59' END AS length
  ), drawn AS (
    SELECT n, n % 3 = 0 AS is_item, n % 6 = 0 AS is_flat, random() AS place, random() AS a, random() AS b, random() AS c, random() AS d
    FROM generate_series(1, $3::integer) AS n
  )
  INSERT INTO clicks (id, occurred_at, environment_number, kind, subject_id, resource_type_id, item_id, host, path, platform, os_version, bot,
    country, referrer_host, campaign, params_dropped, destination, address_hash, visitor_hash, batch_id, user_agent_hash,
    browser, utm_source)
  SELECT gen_random_uuid(), date_trunc('milliseconds', from_at + length * (n::float8 / $3::integer)), $1, CASE WHEN is_item THEN 'template' ELSE 'link' END,
    (CASE WHEN is_item THEN ${uuid(TEMPLATE, 'is_flat::integer')} ELSE ${uuid(LINK, `floor(${LINKS} * power(place, 6))`)} END)::uuid,
    CASE WHEN is_item THEN (${uuid(TYPE, 'is_flat::integer')})::uuid END,
    CASE WHEN is_item THEN 'item-' || floor(${ITEMS} * CASE WHEN is_flat THEN place ELSE power(place, 6) END)::integer END,
    'go.example.com', 'path' || (n % 100000), (ARRAY['ios', 'android', 'desktop', 'other'])[1 + floor(4 * a * a)::integer], '17.5', b < 0.1,
    chr(65 + floor(12 * c * c)::integer) || chr(65 + (n % 5)), CASE WHEN d < 0.5 THEN NULL ELSE 'r' || floor(2000 * power(2 * (d - 0.5), 4))::integer || '.example' END,
    CASE WHEN NOT is_item AND a < 0.3 THEN 'c' || floor(${CAMPAIGNS} * a / 0.3)::integer END,
    false, 'https://shop.example.com/product/' || n || '?utm_source=newsletter&utm_medium=email', '\\x0102030405060708',
    hashint8extended((floor($3::integer * 0.6 * c) * 32 + $2::integer)::bigint, 7), $4, 1 + n % ${USER_AGENTS},
    (ARRAY['Safari', 'Chrome', 'Firefox', 'Samsung Internet', 'Edge'])[1 + floor(5 * b * b)::integer], CASE WHEN d < 0.3 THEN 'newsletter' END
  FROM drawn, span`;
