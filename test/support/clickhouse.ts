import { CHDB_REPAIR, findChdb, startChdb } from '../../bench/load/chdb.js';
import type { Database } from '../../control-plane/db/database.js';
import { CLICK_TABLE_COLUMNS, makeClickTables } from '../../shared/clickhouse/click-table.js';
import { ClickHouse } from '../../shared/clickhouse/connection.js';
import { ClickBlocks } from '../../shared/clickhouse/row-binary.js';
import { storeBlocks } from '../../shared/clickhouse/store-blocks.js';
import type { ClickLog } from './stack.js';

/** The part of a test that is needed here. */
interface ClickHouseTest {
  teardown(end: () => Promise<void>): void;
  fail(message: string): boolean;
  /** Called with 0 and a reason: the tests are skipped, and every reporter says so. */
  plan(assertions: number, reason?: string): void;
}

const REPAIR = `${CHDB_REPAIR}, or CLICKHOUSE_URL to a server whose tables \`clicks\` and \`click_sums\` may be emptied`;

export interface TestClickHouse {
  readonly url: string;
  readonly clickHouse: ClickHouse;
}

/**
 * Opens a ClickHouse with empty tables: the server of CLICKHOUSE_URL, or the engine itself (chdb). On a machine with
 * neither, returns null, and the test is over: it fails if `CI` is set, and otherwise is skipped with a reason.
 */
export async function openClickHouse(t: ClickHouseTest): Promise<TestClickHouse | null> {
  const url = process.env.CLICKHOUSE_URL || (await startEngine(t, null));
  return url === null ? null : openTable(t, url);
}

/** Opens the engine itself, with settings of the server from a file. Null as above. */
export async function openConfiguredClickHouse(t: ClickHouseTest, configFile: string): Promise<TestClickHouse | null> {
  const url = await startEngine(t, configFile);
  return url === null ? null : openTable(t, url);
}

async function openTable(t: ClickHouseTest, url: string): Promise<TestClickHouse> {
  const clickHouse = new ClickHouse({ url, timeoutMs: 30_000, application: 'link-service-test' });
  t.teardown(() => clickHouse.close());
  for (const table of ['clicks', 'click_sums']) await clickHouse.run(`DROP TABLE IF EXISTS ${table}`);
  await makeClickTables(clickHouse);
  return { url, clickHouse };
}

async function startEngine(t: ClickHouseTest, configFile: string | null): Promise<string | null> {
  const folder = findChdb();
  if (folder === null) {
    if ((process.env.CI ?? '') !== '') t.fail(`no ClickHouse: ${REPAIR}`);
    t.plan(0, `no ClickHouse: ${REPAIR}`);
    return null;
  }
  const chdb = await startChdb(folder, configFile);
  t.teardown(() => chdb.stop());
  return chdb.url;
}

/** Empties the table. */
export async function forgetClicks({ clickHouse }: TestClickHouse): Promise<void> {
  await clickHouse.run('TRUNCATE TABLE clicks');
}

export interface StoredClicks {
  readonly rows: number;
  readonly ids: number;
}

export async function countStored({ clickHouse }: TestClickHouse): Promise<StoredClicks> {
  const [counted] = await clickHouse.rows<{ rows: string; ids: string }>('SELECT count() AS rows, uniqExact(id) AS ids FROM clicks');
  return { rows: Number(counted?.rows), ids: Number(counted?.ids) };
}

/** COPY's header is 19 bytes without extensions, its trailer 2. */
const COPY_HEAD_BYTES = 19;
const COPY_TRAILER_BYTES = 2;

/** Copies the clicks of PostgreSQL into ClickHouse. */
export async function copyClicks(database: Database, { clickHouse }: TestClickHouse): Promise<void> {
  const chunks: Buffer[] = [];
  await database.copyOut(`COPY (SELECT ${CLICK_TABLE_COLUMNS} FROM clicks) TO STDOUT WITH (FORMAT binary)`, (chunk) => {
    chunks.push(chunk);
    return undefined;
  });
  const copied = Buffer.concat(chunks);
  const blocks = new ClickBlocks();
  blocks.add(copied.subarray(COPY_HEAD_BYTES, copied.length - COPY_TRAILER_BYTES));
  await storeBlocks(clickHouse, blocks, { name: `copy-${performance.now()}`, again: false });
}

/** The click log of a stack that stores its clicks there. */
export function clickHouseLog(store: TestClickHouse): ClickLog {
  return {
    count: async () => (await countStored(store)).rows,
    async *queries() {
      const rows = await store.clickHouse.rows<{ params: string }>('SELECT params FROM clicks');
      yield rows.map(({ params }) => params);
    },
  };
}
