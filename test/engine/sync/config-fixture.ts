import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Test } from 'tap';
import { Assigner } from '../../../control-plane/feed/assigner.js';
import { type ConfigReader, openConfigReader } from '../../../engine/config/config-reader.js';
import type { InvalidatedItem, RememberedItems } from '../../../engine/sync/apply.js';
import type { BootstrapPlan, BootstrapTiming } from '../../../engine/sync/bootstrap.js';
import { createSync, type Sync, type SyncOptions } from '../../../engine/sync/sync.js';
import { newId } from '../../../shared/base/ids.js';
import { createLogger } from '../../../shared/base/log.js';
import { LINK_RECORD_COLUMNS, type LinkRow, linkRecordFromRow } from '../../../shared/feed/codec.js';
import type { FeedCursor, LinkRecord } from '../../../shared/records/records.js';
import { createDatabase } from '../../support/database.js';
import { insertFeedRows } from '../../support/feed-rows.js';
import { insertMetadataApi } from '../../support/metadata-api.js';
import { until } from '../../support/until.js';

export const log = createLogger('test', process.env.TEST_LOG_LEVEL ?? 'silent');

/** A database of its own with two environments, and functions that change links in it as the control plane does. */
export interface ConfigFixture {
  readonly url: string;
  readonly pool: pg.Pool;
  readonly assigner: Assigner;
  /** The ids of the environments with numbers 1 and 2. */
  readonly environmentIds: readonly [string, string];
  createLink(path: string, deepLinkPath?: string, environment?: 0 | 1): Promise<string>;
  changeLink(id: string, deepLinkPath: string): Promise<void>;
  purgeLink(id: string): Promise<void>;
  renameHost(environment: 0 | 1, host: string): Promise<void>;
  createResourceType(id: string, environment?: 0 | 1): Promise<void>;
  createTemplate(id: string, resourceTypeId: string, pattern: string, environment?: 0 | 1): Promise<void>;
  /** Returns the campaign's id. */
  createCampaign(key: string, utmSource: string, environment?: 0 | 1): Promise<string>;
  /** Returns the id of a verified domain. */
  createDomain(hostname: string, environment?: 0 | 1): Promise<string>;
  createMetadataApi(resourceTypeId: string, environment?: 0 | 1): Promise<string>;
  /** Runs a statement that changes one object which the store knows by its id, and adds the change to the feed. */
  changeObject(
    kind: 'resource_type' | 'url_template' | 'campaign' | 'domain',
    objectId: string,
    statement: string,
    values?: unknown[],
  ): Promise<void>;
  /** Assigns positions to rows without a notification, as if it had been lost. */
  assignSilently(): Promise<void>;
}

export async function configFixture(t: Test, options: { readonly assigning?: boolean } = {}): Promise<ConfigFixture> {
  const database = await createDatabase();
  const pool = new pg.Pool({ connectionString: database.url, max: 40 });
  pool.on('error', () => undefined); // some tests kill backends on purpose
  const assigner = new Assigner({ pool, log });
  if (options.assigning !== false) assigner.start();
  t.teardown(async () => {
    await assigner.stop();
    await pool.end();
    await database.drop();
  });
  const environmentIds = [newId('environment'), newId('environment')] as const;
  await pool.query(`INSERT INTO projects (id, name, time_zone) VALUES ('prj_1', 'Project', 'UTC')`);
  await pool.query(
    `INSERT INTO environments (id, project_id, name, link_host, open_host)
     VALUES ($1, 'prj_1', 'live', 'live.localhost', 'open.live.localhost'), ($2, 'prj_1', 'test', 'test.localhost', 'open.test.localhost')`,
    [...environmentIds],
  );
  const change = async (id: string, text: string, values: unknown[]) => {
    await pool.query(
      `WITH written AS (${text} RETURNING links.id, links.environment_id, links.path)
       INSERT INTO config_feed (is_creation, kind, environment_id, object_id, object_key)
       SELECT ${text.startsWith('INSERT')}, 'link', environment_id, id, path FROM written`,
      [id, ...values],
    );
    assigner.poke();
  };
  const changeObject: ConfigFixture['changeObject'] = async (kind, objectId, statement, values = []) => {
    await pool.query(
      `WITH written AS (${statement} RETURNING id, environment_id)
       INSERT INTO config_feed (kind, environment_id, object_id, object_key) SELECT '${kind}', environment_id, id, id FROM written`,
      [objectId, ...values],
    );
    assigner.poke();
  };
  return {
    url: database.url,
    pool,
    assigner,
    environmentIds,
    async createLink(path, deepLinkPath = '/', environment = 0) {
      const id = newId('link');
      await change(
        id,
        `INSERT INTO links (id, environment_id, path, deep_link_path, destinations, created_at, updated_at)
         VALUES ($1, $2, $3, $4, '{"web":"https://example.com/"}', now(), now())`,
        [environmentIds[environment], path, deepLinkPath],
      );
      return id;
    },
    changeLink: (id, deepLinkPath) => change(id, 'UPDATE links SET deep_link_path = $2, updated_at = now() WHERE id = $1', [deepLinkPath]),
    purgeLink: (id) => change(id, 'DELETE FROM links WHERE id = $1', []),
    async renameHost(environment, host) {
      const id = environmentIds[environment];
      const client = await pool.connect();
      await client.query('BEGIN');
      await client.query('UPDATE environments SET link_host = $2 WHERE id = $1', [id, host]);
      await insertFeedRows(client, [{ kind: 'environment', environment_id: id, object_id: id, object_key: String(environment + 1) }]);
      await client.query('COMMIT');
      client.release();
      assigner.poke();
    },
    createResourceType: (id, environment = 0) =>
      changeObject(
        'resource_type',
        id,
        `INSERT INTO resource_types (id, environment_id, key, name, created_at, updated_at) VALUES ($1, $2, 'product', 'P', now(), now())`,
        [environmentIds[environment]],
      ),
    createTemplate: (id, resourceTypeId, pattern, environment = 0) =>
      changeObject(
        'url_template',
        id,
        `INSERT INTO url_templates (id, environment_id, resource_type_id, path_pattern, id_format, deep_link_path, created_at, updated_at)
         VALUES ($1, $2, $3, $4, '{"preset":"numeric","kind":"preset"}', '/{id}', now(), now())`,
        [environmentIds[environment], resourceTypeId, pattern],
      ),
    async createCampaign(key, utmSource, environment = 0) {
      const id = newId('campaign');
      await changeObject(
        'campaign',
        id,
        `INSERT INTO campaigns (id, environment_id, key, name, utm_source, created_at, updated_at) VALUES ($1, $2, $3, 'C', $4, now(), now())`,
        [environmentIds[environment], key, utmSource],
      );
      return id;
    },
    async createDomain(hostname, environment = 0) {
      const id = newId('domain');
      await changeObject(
        'domain',
        id,
        `INSERT INTO domains (id, environment_id, hostname, status, txt_value, created_at, updated_at)
         VALUES ($1, $2, $3, 'verified', 'v', now(), now())`,
        [environmentIds[environment], hostname],
      );
      return id;
    },
    async createMetadataApi(resourceTypeId, environment = 0) {
      const environmentId = environmentIds[environment];
      const id = await insertMetadataApi(
        { query: (statement) => pool.query(statement as pg.QueryConfig) as never },
        { environmentId, resourceTypeId },
      );
      await pool.query(`INSERT INTO config_feed (kind, environment_id, object_id, object_key) VALUES ('metadata_api', $1, $2, $3)`, [
        environmentId,
        id,
        resourceTypeId,
      ]);
      assigner.poke();
      return id;
    },
    changeObject,
    async assignSilently() {
      await pool.query(`WITH numbered AS (
          UPDATE config_feed SET position = state.last_position + rank.n
          FROM config_feed_state AS state, (SELECT id, row_number() OVER (ORDER BY id) AS n FROM config_feed WHERE position IS NULL) AS rank
          WHERE config_feed.id = rank.id RETURNING 1)
        UPDATE config_feed_state SET last_position = last_position + (SELECT count(*) FROM numbered)`);
    },
  };
}

/** Records what the feed said about remembered items. */
export class RecordedInvalidations implements RememberedItems {
  readonly said: (readonly InvalidatedItem[] | 'all' | 'awaited' | 'awaited, with the table' | FeedCursor)[] = [];

  invalidate(items: readonly InvalidatedItem[]): void {
    this.said.push(items);
  }

  invalidateAll(): void {
    this.said.push('all');
  }

  awaited(changesTable: boolean): void {
    this.said.push(changesTable ? 'awaited, with the table' : 'awaited');
  }

  applied(cursor: FeedCursor): void {
    this.said.push(cursor);
  }
}

/** A bootstrap plan that nothing interrupts, with the changes of the test. */
/** What a test sets of a bootstrap. */
export type TestedPlan = Partial<Omit<BootstrapPlan, 'timing'>> & BootstrapTiming;

export function bootstrapPlan({ pageRows, feedMs, onObjects, ...plan }: TestedPlan = {}): BootstrapPlan {
  const timing: BootstrapTiming = {
    ...(pageRows === undefined ? {} : { pageRows }),
    ...(feedMs === undefined ? {} : { feedMs }),
    ...(onObjects === undefined ? {} : { onObjects }),
  };
  return {
    reason: 'a test',
    cancelled: () => false,
    onWaiting: () => undefined,
    rest: async () => undefined,
    remembered: new RecordedInvalidations(),
    log,
    timing,
    ...plan,
  };
}

export function startSync(t: Test, url: string, dataDir: string, options: Partial<SyncOptions> = {}): Sync {
  const sync = createSync({ databaseUrl: url, dataDir, remembered: new RecordedInvalidations(), log, ...options });
  sync.start();
  t.teardown(() => sync.stop());
  return sync;
}

export async function following(sync: Sync, bootstraps = 1): Promise<void> {
  await until(() => sync.stats().state === 'following' && sync.stats().bootstraps >= bootstraps, 'the synchronisation to follow');
}

export function openReader(t: Test, dataDir: string): ConfigReader {
  const reader = openConfigReader(dataDir, log);
  t.teardown(() => reader.close());
  return reader;
}

/** Waits until the reader finds the link in the wanted state. Returns how long that took, in milliseconds. */
export async function seen(
  reader: ConfigReader,
  path: string,
  wanted: (link: LinkRecord | undefined) => boolean,
  ms = 10_000,
): Promise<number> {
  const started = performance.now();
  while (!wanted(reader.findLink(1, path))) {
    if (performance.now() - started > ms) throw new Error(`${path} is not as wanted after ${ms} ms`);
    await sleep(1);
  }
  return performance.now() - started;
}

/** The paths of the links that differ between the store and PostgreSQL, after every feed row has a position and is applied. */
export async function differences(fixture: ConfigFixture, sync: Sync, reader: ConfigReader): Promise<string[]> {
  await until(async () => {
    const { rows } = await fixture.pool.query<{ last: number; open: number }>(
      'SELECT last_position::float8 AS last, (SELECT count(*) FROM config_feed WHERE position IS NULL)::float8 AS open FROM config_feed_state',
    );
    return rows[0]?.open === 0 && sync.stats().position === rows[0].last;
  }, 'every feed row to be applied');
  await sleep(20); // a reader's snapshot and its view of CURRENT are some milliseconds old
  const { rows } = await fixture.pool.query<LinkRow & { number: number }>(
    `SELECT ${LINK_RECORD_COLUMNS}, environments.number FROM links JOIN environments ON environments.id = links.environment_id`,
  );
  return rows
    .filter((row) => JSON.stringify(reader.findLink(row.number, row.path)) !== JSON.stringify(linkRecordFromRow(row)))
    .map((row) => row.path);
}
