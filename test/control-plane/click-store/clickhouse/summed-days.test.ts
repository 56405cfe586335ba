import t from 'tap';
import { beginDay, endDay } from '../../../../control-plane/click-store/clickhouse/summed-days.js';
import { createDatabase as createDatabaseOf, createPool } from '../../../../control-plane/db/database.js';
import { createDatabase } from '../../../support/database.js';

t.test('a late batch invalidates the sums of its days, and another one soon after changes no row', async (t) => {
  const own = await createDatabase();
  const pool = createPool(own.url, 3, 'summed-days-test', () => {});
  const database = createDatabaseOf(pool);
  t.teardown(async () => {
    await pool.end();
    await own.drop();
  });
  const noted = { time_zone: 'UTC', environments: [1, 2] };
  const day = (date: string) => ({ day: date, from: new Date(`${date}T00:00:00Z`), to: new Date(`${date}T24:00:00Z`) });
  for (const [version, date] of ['2026-11-18', '2026-11-19', '2026-11-20'].entries()) {
    t.equal(await beginDay(database, { ...noted, ...day(date) }, `${version}`), true);
    for (const environment of noted.environments) await endDay(database, environment, `${version}`);
  }
  let batches = 0;
  const store = (from: string, to: string) =>
    pool.query('INSERT INTO click_log_batches (batch_id, shards, from_at, to_at) VALUES ($1, $2, $3, $4)', [++batches, [0], from, to]);
  const rows = async (where: string) =>
    (
      await pool.query(
        `SELECT environment_number, day::text, xmin::text FROM click_summed_days WHERE ${where} ORDER BY day, environment_number`,
      )
    ).rows;

  await store('2026-11-19T10:00:00Z', '2026-11-19T11:00:00Z');
  const back = await rows("version IS NULL AND summed_at IS NULL AND due_at > now() + interval '9 minutes'");
  t.match(back, [
    { environment_number: 1, day: '2026-11-19' },
    { environment_number: 2, day: '2026-11-19' },
  ]);
  t.equal((await rows('version IS NOT NULL AND summed_at IS NOT NULL')).length, 4, 'other days keep their sums');
  await store('2026-11-19T10:30:00Z', '2026-11-19T11:30:00Z');
  t.same(await rows('version IS NULL'), back, 'rows that are already invalid are not written again');

  await pool.query("UPDATE click_summed_days SET due_at = now() + interval '4 minutes' WHERE version IS NULL");
  await store('2026-11-19T23:59:59.999Z', '2026-11-20T00:00:00Z');
  t.equal(
    (await rows("version IS NULL AND due_at > now() + interval '9 minutes'")).length,
    4,
    'a late batch postpones the days that it touches',
  );

  await pool.query("UPDATE click_summed_days SET due_at = now() - interval '1 second'");
  t.equal(await beginDay(database, { ...noted, ...day('2026-11-19') }, '9'), true);
  await store('2026-11-19T10:00:00Z', '2026-11-19T10:00:00Z');
  for (const environment of noted.environments) await endDay(database, environment, '9');
  t.same(await rows("day = '2026-11-19' AND version IS NOT NULL"), [], 'a sum that was being counted is discarded');
});
