import type { ClickHouse } from './connection.js';

/** How a column's values are encoded in RowBinary. A `text` that is empty and an `id` that is all zeros mean no value. */
type Wire = 'id' | 'id_or_none' | 'time' | 'int32' | 'int64' | 'int64_or_zero' | 'text' | 'boolean' | 'hash_or_null';

export interface ClickColumn {
  readonly name: string;
  readonly type: string;
  readonly wire: Wire;
}

const text = (name: string, type = 'String CODEC(ZSTD(1))'): ClickColumn => ({ name, type, wire: 'text' });
/** A column with few different values, for each of which a number is stored. */
const word = (name: string): ClickColumn => text(name, 'LowCardinality(String)');

/**
 * The columns of `clicks` in ClickHouse: those of PostgreSQL's table, in the order in which shippers write them. What
 * is null there is empty here. Ids are the bytes of a `uuid`, because ClickHouse sorts its own UUIDs by their second
 * half first.
 */
export const CLICK_TABLE: readonly ClickColumn[] = [
  { name: 'id', type: 'FixedString(16)', wire: 'id' },
  { name: 'occurred_at', type: `DateTime64(6, 'UTC') CODEC(Delta, ZSTD(1))`, wire: 'time' },
  { name: 'environment_number', type: 'Int32', wire: 'int32' },
  word('kind'),
  { name: 'subject_id', type: 'FixedString(16)', wire: 'id' },
  { name: 'resource_type_id', type: 'FixedString(16)', wire: 'id_or_none' },
  text('item_id'),
  word('host'),
  text('path'),
  word('platform'),
  word('os_version'),
  word('in_app_browser'),
  word('os'),
  word('browser'),
  word('browser_version'),
  { name: 'bot', type: 'Bool', wire: 'boolean' },
  word('bot_reason'),
  word('country'),
  word('region'),
  word('city'),
  word('source'),
  text('referrer_host'),
  word('campaign'),
  text('utm_source'),
  text('utm_medium'),
  text('utm_campaign'),
  text('utm_term'),
  text('utm_content'),
  text('params'),
  { name: 'params_dropped', type: 'Bool', wire: 'boolean' },
  text('destination'),
  { name: 'batch_id', type: 'Int64', wire: 'int64' },
  { name: 'user_agent_hash', type: 'Int64', wire: 'int64_or_zero' },
  { name: 'address_hash', type: 'Nullable(FixedString(8))', wire: 'hash_or_null' },
  { name: 'visitor_hash', type: 'Int64', wire: 'int64' },
];

export const CLICK_TABLE_COLUMNS = CLICK_TABLE.map(({ name }) => name).join(', ');

/** Insertions whose tokens the table remembers: those of 50 hosts over half an hour. */
const TOKENS_KEPT = 100_000;

/**
 * The table of a single server. The operator of a cluster creates one with the same columns beforehand
 * (deploy/clickhouse.md). A day is one partition, so that an insertion of clicks of one day is one part, which is there
 * as a whole or not at all.
 */
const CREATE_CLICKS = `
CREATE TABLE IF NOT EXISTS clicks (
  ${CLICK_TABLE.map(({ name, type }) => `${name} ${type}`).join(',\n  ')},
  INDEX batch batch_id TYPE minmax GRANULARITY 1
)
ENGINE = MergeTree
PARTITION BY toYYYYMMDD(occurred_at)
ORDER BY (environment_number, kind, subject_id, occurred_at, id)
SETTINGS non_replicated_deduplication_window = ${TOKENS_KEPT}`;

/**
 * Clicks of days that are over, added up by the dimensions of statistics (control-plane/click-store/clickhouse/sum-days.ts). The
 * rows of one count of a day have one version, and are never changed: PostgreSQL says which versions are read
 * (`click_summed_days`).
 */
const CREATE_SUMS = `
CREATE TABLE IF NOT EXISTS click_sums (
  environment_number Int32,
  dimension LowCardinality(String),
  campaign LowCardinality(String),
  day Date,
  version Int64,
  subject String CODEC(ZSTD(1)),
  value String CODEC(ZSTD(1)),
  clicks UInt64 CODEC(ZSTD(1)),
  human UInt64 CODEC(ZSTD(1)),
  visitors UInt64 CODEC(ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY toYYYYMM(day)
ORDER BY (environment_number, dimension, campaign, day, version, subject, value)`;

/** Creates the tables that are missing, and the columns that a table of clicks from an earlier release lacks. They have no values there. */
export async function makeClickTables(clickHouse: Pick<ClickHouse, 'run' | 'rows'>): Promise<void> {
  for (const table of [CREATE_CLICKS, CREATE_SUMS]) await clickHouse.run(table);
  const rows = await clickHouse.rows<{ name: string }>(
    `SELECT name FROM system.columns WHERE database = currentDatabase() AND table = 'clicks'`,
  );
  const present = new Set(rows.map(({ name }) => name));
  const missing = CLICK_TABLE.filter(({ name }) => !present.has(name));
  if (missing.length === 0) return;
  await clickHouse.run(`ALTER TABLE clicks ${missing.map(({ name, type }) => `ADD COLUMN IF NOT EXISTS ${name} ${type}`).join(', ')}`);
}
