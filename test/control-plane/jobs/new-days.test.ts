import { pino } from 'pino';
import t from 'tap';
import { postgresClicks } from '../../../control-plane/click-store/postgres-store.js';
import { createPool, createDatabase as databaseOf } from '../../../control-plane/db/database.js';
import { createMaintenance } from '../../../control-plane/jobs/maintenance.js';
import { connect } from '../../support/click-log.js';
import { createDatabase } from '../../support/database.js';
import { until } from '../../support/until.js';

t.test('clicks can be stored while a new day partition waits for a long reader of the log', async (t) => {
  const own = await createDatabase();
  const pool = createPool(own.url, 3, 'test', () => {});
  const [reader, writer, watcher] = await Promise.all([connect(own.url), connect(own.url), connect(own.url)]);
  const maintenance = createMaintenance({
    database: databaseOf(pool),
    clickStore: postgresClicks,
    log: pino({ level: 'silent' }),
    clock: Date.now,
    retention: { clicks: 40, events: 300, installs: 350 },
    feedChanged: () => {},
  });
  t.teardown(async () => {
    await reader.query('ROLLBACK');
    await maintenance.stop();
    await Promise.all([pool.end(), reader.end(), writer.end(), watcher.end()]);
    await own.drop();
  });
  // The state on each morning: the last of the days ahead does not exist yet.
  const { rows } = await writer.query<{ name: string }>(
    `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'clicks'::regclass ORDER BY 1 DESC LIMIT 1`,
  );
  await writer.query(`DROP TABLE ${rows[0]?.name}`);
  // pg_dump, `linkd clicks copy` and a recount read for minutes. They must not hold anybody up.
  await reader.query('BEGIN');
  await reader.query('SELECT count(*) FROM clicks');
  maintenance.start();
  await until(
    async () =>
      Number(
        (await watcher.query(`SELECT count(*) AS waiting FROM pg_locks WHERE NOT granted AND relation = 'clicks'::regclass`)).rows[0]
          .waiting,
      ) > 0,
    'the maintenance to wait for the reader',
  );
  const beganAt = performance.now();
  // Stores a click as every shipper does.
  await writer.query(
    `INSERT INTO clicks (id, occurred_at, environment_number, kind, subject_id, host, path, platform, bot, params_dropped, visitor_hash, batch_id)
     VALUES (gen_random_uuid(), now(), 1, 'link', gen_random_uuid(), 'h', 'p', 'ios', false, false, 1, 1)`,
  );
  const tookMs = performance.now() - beganAt;
  t.ok(tookMs < 1_000, `clicks waited for ${Math.round(tookMs)} ms`);
});
