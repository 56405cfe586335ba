import pg from 'pg';
import { ClickCounter } from '../../control-plane/click-figures/counting/click-counter.js';
import { createPrefixes } from '../../control-plane/click-figures/prepared/top-prefixes.js';
import { createLongStatementPool, type Database, createDatabase as databaseOf } from '../../control-plane/db/database.js';
import { columnsOf } from '../../engine/database/columns.js';
import { createFlusher, type Flusher, type FlusherSettings } from '../../engine/shipping/flusher.js';
import { userAgentHash } from '../../engine/shipping/rows/visitor-hashes.js';
import { idAt, idToUuid, newId } from '../../shared/base/ids.js';
import { createLogger } from '../../shared/base/log.js';
import { TEST_SPOOL_KEYS } from './spool-keys.js';
import { until } from './until.js';

/** Makes a project with its live environment; returns the environment's number and id. */
export async function makeEnvironment(client: pg.ClientBase | pg.Pool, timeZone = 'UTC'): Promise<{ number: number; id: string }> {
  const project = newId('project');
  const id = newId('environment');
  await client.query('INSERT INTO projects (id, name, time_zone) VALUES ($1, $2, $3)', [project, 'Test', timeZone]);
  const { rows } = await client.query<{ number: number }>(
    `INSERT INTO environments (id, project_id, name, link_host, open_host) VALUES ($1, $2, 'live', $3, $4) RETURNING number`,
    [id, project, `${id}.localhost`, `open.${id}.localhost`],
  );
  return { id, number: rows[0]?.number as number };
}

/** Makes an active endpoint of the environment that subscribes to these events. */
export async function makeEndpoint(client: pg.ClientBase, environmentId: string, events: readonly string[]): Promise<string> {
  const id = newId('webhook');
  await client.query(
    `INSERT INTO webhook_endpoints (id, environment_id, url, events, secret, created_at, updated_at)
     VALUES ($1, $2, 'https://hooks.example.com/', $3, '\\x00', now(), now())`,
    [id, environmentId, events],
  );
  return id;
}

export function makeFlusher(settings: Pick<FlusherSettings, 'databaseUrl' | 'dir'> & Partial<FlusherSettings>): Flusher {
  return createFlusher({ keys: TEST_SPOOL_KEYS, clock: Date.now, log: createLogger('test', 'silent'), ...settings });
}

export async function connect(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: databaseUrl });
  // A test that ends its own connections by force expects this.
  client.on('error', () => {});
  await client.connect();
  return client;
}

export async function countClicks(client: pg.ClientBase): Promise<{ rows: number; ids: number; paths: number }> {
  const { rows } = await client.query<{ rows: number; ids: number; paths: number }>(
    'SELECT count(*)::integer AS rows, count(DISTINCT id)::integer AS ids, count(DISTINCT path)::integer AS paths FROM clicks',
  );
  return rows[0] as { rows: number; ids: number; paths: number };
}

/** A row of the click log, as far as figures are concerned. */
export interface LoggedClick {
  readonly at: number;
  /** Stands for the visitor's hash, which belongs to one day. */
  readonly visitor: number;
  readonly bot: boolean;
  readonly platform: string;
  readonly country: string | null;
  readonly referrer_host: string | null;
  readonly campaign: string | null;
  /** `lnk_...` or `tpl_...`. */
  readonly subject: string;
  /** Items of templates only. */
  readonly resource_type: string | null;
  readonly item: string | null;
  readonly user_agent: string | null;
  readonly address_hash: Buffer | null;
  readonly path: string;
  readonly os: string | null;
  readonly os_version: string | null;
  readonly browser: string | null;
  readonly browser_version: string | null;
  readonly region: string | null;
  readonly city: string | null;
  readonly source: string | null;
}

export function loggedClick(subject: string, at: number | string, rest: Partial<LoggedClick> = {}): LoggedClick {
  return {
    at: typeof at === 'string' ? Date.parse(at) : at,
    subject,
    visitor: 1,
    bot: false,
    platform: 'ios',
    country: 'DE',
    referrer_host: null,
    campaign: null,
    resource_type: null,
    item: null,
    user_agent: null,
    address_hash: null,
    path: 'p',
    os: null,
    os_version: null,
    browser: null,
    browser_version: null,
    region: null,
    city: null,
    source: null,
    ...rest,
  };
}

/** Stores clicks as one batch of a shipper, which waits to be counted. */
export async function logClicks(client: pg.ClientBase, environmentNumber: number, clicks: readonly LoggedClick[]): Promise<void> {
  if (clicks.length === 0) return;
  const days = [...new Set(clicks.map((click) => new Date(click.at).toISOString().slice(0, 10)))];
  await client.query("SELECT ensure_day_partition('clicks', day) FROM unnest($1::date[]) AS day", [days]);
  const isItem = (click: LoggedClick) => click.resource_type !== null;
  await client.query(
    `WITH batch AS (
       INSERT INTO click_batches (shard, clicks, from_at, to_at)
       SELECT $1::integer & 15, count(*), min(at), max(at) FROM unnest($2::timestamptz[]) AS at RETURNING batch_id
     )
     INSERT INTO clicks (id, occurred_at, environment_number, kind, subject_id, resource_type_id, item_id, host, platform, bot, country,
       referrer_host, campaign, params_dropped, visitor_hash, batch_id, path, user_agent_hash, address_hash,
       os, os_version, browser, browser_version, region, city, source)
     SELECT id, at, $1, kind, subject, type, item, 'h', platform, bot, country, referrer_host, campaign, false, visitor, batch_id, path, agent, address,
       os, os_version, browser, browser_version, region, city, source
     FROM batch, unnest($2::timestamptz[], $3::text[], $4::uuid[], $5::uuid[], $6::text[], $7::text[], $8::boolean[], $9::text[], $10::text[],
       $11::text[], $12::bigint[], $13::text[], $14::bigint[], $15::bytea[], $16::uuid[],
       $17::text[], $18::text[], $19::text[], $20::text[], $21::text[], $22::text[], $23::text[])
       AS given (at, kind, subject, type, item, platform, bot, country, referrer_host, campaign, visitor, path, agent, address, id,
         os, os_version, browser, browser_version, region, city, source)`,
    [
      environmentNumber,
      clicks.map((click) => new Date(click.at).toISOString()),
      clicks.map((click) => (isItem(click) ? 'template' : 'link')),
      clicks.map((click) => idToUuid(isItem(click) ? 'urlTemplate' : 'link', click.subject)),
      clicks.map((click) => (click.resource_type === null ? null : idToUuid('resourceType', click.resource_type))),
      ...columnsOf(clicks, 'item', 'platform', 'bot', 'country', 'referrer_host', 'campaign', 'visitor', 'path'),
      clicks.map((click) => (click.user_agent === null ? null : hashOf(click.user_agent))),
      ...columnsOf(clicks, 'address_hash'),
      clicks.map((click) => idToUuid('click', idAt('click', click.at))),
      ...columnsOf(clicks, 'os', 'os_version', 'browser', 'browser_version', 'region', 'city', 'source'),
    ],
  );
  await client.query(
    `INSERT INTO user_agents (user_agent_hash, user_agent, last_day) SELECT DISTINCT hash, text, current_date FROM unnest($1::bigint[], $2::text[]) AS agent (hash, text)
     ON CONFLICT DO NOTHING`,
    [
      clicks.flatMap(({ user_agent }) => (user_agent === null ? [] : [hashOf(user_agent)])),
      clicks.flatMap(({ user_agent }) => user_agent ?? []),
    ],
  );
}

function hashOf(userAgent: string): string {
  return String(userAgentHash(userAgent).readBigInt64BE(0));
}

/** What a control plane uses to count clicks, and its own session. */
export interface OpenCounter {
  count(nowMs: number): Promise<number>;
  /** Its session, for tests that end it. */
  readonly database: Database;
  end(): Promise<void>;
}

/** Opens a counter. `roundClicks` is how many clicks it counts at once. */
export function openCounter(databaseUrl: string, roundClicks?: number): OpenCounter {
  const [storing, reading] = ['test-counter', 'test-reader'].map((name) => createLongStatementPool(databaseUrl, name, () => {})) as [
    pg.Pool,
    pg.Pool,
  ];
  const database = databaseOf(storing);
  const counter = new ClickCounter({
    storing: database,
    reading: databaseOf(reading),
    clickRetentionDays: 400,
    ...(roundClicks === undefined ? {} : { roundClicks }),
  });
  const end = async (): Promise<void> => {
    // PostgreSQL notices the end of a session a moment later, and until then the next counter would find its shards taken.
    await storing.query('SELECT pg_advisory_unlock_all()');
    await Promise.all([storing.end(), reading.end()]);
  };
  return { count: (nowMs) => counter.count(nowMs), database, end };
}

/** Counts everything that waits, as a control plane that has just started would at this moment. */
export async function countLoggedClicks(databaseUrl: string, nowMs: number): Promise<void> {
  const counter = openCounter(databaseUrl);
  try {
    while ((await counter.count(nowMs)) > 0);
  } finally {
    await counter.end();
  }
}

/** Adds up all long lists that are missing. Returns how many. */
export async function makePrefixes(database: Database, nowMs: number): Promise<number> {
  const prefixes = createPrefixes(database);
  let made = 0;
  while (await prefixes.step(nowMs)) made++;
  return made;
}

/** Returns the number of batches that wait to be counted. */
export async function waitingBatches(client: pg.ClientBase | pg.Pool): Promise<number> {
  return (await client.query('SELECT 1 FROM click_batches')).rowCount ?? 0;
}

/** Counts the clicks in memory, independently of the service. */
export function countByHand(clicks: readonly LoggedClick[]): { all: number; human: number; unique: number } {
  const human = clicks.filter((click) => !click.bot);
  return { all: clicks.length, human: human.length, unique: new Set(human.map((click) => click.visitor)).size };
}

/** Ends the session that waits for a lock while it runs such a statement, as soon as there is one. */
export async function killWaiting(database: Database, statement: string): Promise<void> {
  await until(async () => {
    const { rowCount } = await database.query({
      text: `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
             WHERE datname = current_database() AND wait_event_type = 'Lock' AND strpos(query, $1) > 0 AND pid <> pg_backend_pid()`,
      values: [statement],
    });
    return rowCount > 0;
  }, `a session that waits with ${statement}`);
}
