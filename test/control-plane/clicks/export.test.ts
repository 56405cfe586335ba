import t from 'tap';
import { exportClicks } from '../../../control-plane/clicks/export.js';
import type { ExportPosition } from '../../../control-plane/clicks/export-pages.js';
import { createLongStatementPool, createDatabase as databaseOf } from '../../../control-plane/db/database.js';
import { dropDayPartitions } from '../../../control-plane/db/day-partitions.js';
import { idToUuid } from '../../../shared/base/ids.js';
import { connect, makeEnvironment } from '../../support/click-log.js';
import { createDatabase } from '../../support/database.js';
import { until } from '../../support/until.js';

const POOL = 'export-test';
const DAY = '2026-11-20';
const SPAN = { from: new Date(`${DAY}T00:00:00Z`), to: new Date('2026-11-21T00:00:00Z') };

const own = await createDatabase();
const client = await connect(own.url);
const pool = createLongStatementPool(own.url, POOL, () => {}, 2);
const database = databaseOf(pool);
t.teardown(async () => {
  await pool.end();
  await client.end();
  await own.drop();
});

const { number: environmentNumber } = await makeEnvironment(client);
const { number: other } = await makeEnvironment(client);
await client.query(`SELECT ensure_day_partition('clicks', day) FROM unnest(ARRAY[$1, '2020-01-01']::date[]) AS day`, [DAY]);

/**
 * More than two pages of clicks, some over the day and some within two seconds of it. Two hosts store them; one of them stores
 * many of its clicks hours later. Many clicks have the same time as another one, some times have parts of a millisecond, and no
 * click is stored where its id would sort.
 */
await client.query(
  `INSERT INTO clicks (id, occurred_at, environment_number, kind, subject_id, host, path, platform, bot, params_dropped, visitor_hash, batch_id, user_agent_hash)
   SELECT gen_random_uuid(), at, CASE WHEN n % 50 = 0 THEN $3::integer ELSE $1::integer END, 'link', gen_random_uuid(), 'h', 'p', 'ios', false, false, 1,
     CASE WHEN n % 2 = 0 AND n < 9000 THEN 90000 ELSE 0 END + (extract(epoch FROM at)::bigint % 86400) / 2 * 2 + n % 2, n % 3
   FROM (
     SELECT n, $2::timestamptz + CASE WHEN n <= 12000 THEN interval '7 seconds' * (n / 2) ELSE interval '50000 seconds 100 microseconds' + interval '1 millisecond' * (n % 2000) END AS at
     FROM generate_series(1, 36000) AS n
   ) AS click`,
  [environmentNumber, SPAN.from, other],
);
await client.query(`INSERT INTO user_agents (user_agent_hash, user_agent, last_day) VALUES (1, 'Agent/1', $1)`, [DAY]);

/** The ids in the order of an export, from a single statement. */
async function idsAfter(after: ExportPosition | null): Promise<readonly string[]> {
  const { rows } = await client.query<{ id: string }>(
    `SELECT id FROM clicks WHERE environment_number = $1 AND ($2::timestamptz IS NULL OR (date_trunc('milliseconds', occurred_at), id) > ($2, $3::uuid))
     ORDER BY date_trunc('milliseconds', occurred_at), id`,
    [environmentNumber, after?.occurred_at ?? null, after?.id ?? null],
  );
  return rows.map(({ id }) => id);
}

interface Line {
  readonly id: string;
  readonly occurred_at: string;
  readonly user_agent: string | null;
}

async function exported(after: ExportPosition | null): Promise<readonly Line[]> {
  const lines: Line[] = [];
  const write = async (text: string) => {
    for (const line of text.split('\n').filter(Boolean)) lines.push(JSON.parse(line));
  };
  t.equal(await exportClicks(database, { environmentNumber, span: SPAN, format: 'ndjson', after, write }), lines.length);
  return lines;
}

t.test('an export of many pages has each click once, ordered by time, and can be resumed after any click', async (t) => {
  const lines = await exported(null);
  t.strictSame(
    lines.map(({ id }) => idToUuid('click', id)),
    await idsAfter(null),
  );
  t.same([...new Set(lines.map(({ user_agent }) => user_agent))].sort(), ['Agent/1', null]);
  for (const at of [0, 9_999, 20_000, lines.length - 1]) {
    const last = lines[at] as Line;
    const after = { id: idToUuid('click', last.id) as string, occurred_at: new Date(last.occurred_at) };
    t.strictSame(
      (await exported(after)).map(({ id }) => idToUuid('click', id)),
      await idsAfter(after),
    );
  }
});

t.test('while an export waits for its reader no transaction is open, and a day can be dropped', async (t) => {
  let pieces = 0;
  const write = async () => {
    if (++pieces !== 2) return;
    await until(async () => {
      const { rowCount } = await client.query(`SELECT 1 FROM pg_stat_activity WHERE application_name = $1 AND xact_start IS NOT NULL`, [
        POOL,
      ]);
      return rowCount === 0;
    }, 'the transaction of the export to end');
    await dropDayPartitions(databaseOf(pool), 'clicks', 1_000, { wait: async () => t.fail('the log was in use') });
    const { rows } = await client.query(`SELECT to_regclass('clicks_20200101') AS dropped`);
    t.same(rows, [{ dropped: null }]);
  };
  await exportClicks(database, { environmentNumber, span: SPAN, format: 'csv', after: null, write });
  t.ok(pieces > 20);
});

t.test('an export whose reader fails ends with the reader’s error and leaves no statement running', async (t) => {
  const write = async () => {
    throw new Error('the reader has left');
  };
  await t.rejects(exportClicks(database, { environmentNumber, span: SPAN, format: 'csv', after: null, write }), {
    message: 'the reader has left',
  });
  t.equal(pool.idleCount, pool.totalCount);
});
