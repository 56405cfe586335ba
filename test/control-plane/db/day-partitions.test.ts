import t, { type Test } from 'tap';
import { createPool, createDatabase as databaseOf } from '../../../control-plane/db/database.js';
import { dropDayPartitions } from '../../../control-plane/db/day-partitions.js';
import { connect } from '../../support/click-log.js';
import { createDatabase } from '../../support/database.js';

async function start(t: Test) {
  const own = await createDatabase();
  const pool = createPool(own.url, 3, 'test', () => {});
  const [reader, writer] = await Promise.all([connect(own.url), connect(own.url)]);
  t.teardown(async () => {
    await Promise.all([pool.end(), reader.end(), writer.end()]);
    await own.drop();
  });
  await writer.query(
    `SELECT ensure_day_partition('clicks', (now() AT TIME ZONE 'UTC')::date - age) FROM unnest(ARRAY[40, 41, 42, 400]) AS age`,
  );
  /** The ages of the partitions, in days. */
  const ages = async () => {
    const { rows } = await writer.query<{ age: number }>(
      `SELECT (now() AT TIME ZONE 'UTC')::date - to_date(right(inhrelid::regclass::text, 8), 'YYYYMMDD') AS age
       FROM pg_inherits WHERE inhparent = 'clicks'::regclass ORDER BY age`,
    );
    return rows.map(({ age }) => age).filter((age) => age > 3);
  };
  /** Stores a click as every shipper does. */
  const store = async () => {
    await writer.query(`SET lock_timeout = '1ms'`);
    await writer.query(
      `INSERT INTO clicks (id, occurred_at, environment_number, kind, subject_id, host, path, platform, bot, params_dropped, visitor_hash, batch_id)
       VALUES (gen_random_uuid(), now(), 1, 'link', gen_random_uuid(), 'h', 'p', 'ios', false, false, 1, 1)`,
    );
    await writer.query('RESET lock_timeout');
  };
  return { database: databaseOf(pool), reader, ages, store };
}

t.test(
  'dropping a day in use is tried again, clicks can be stored between the tries, and it is dropped after its reader ends',
  async (t) => {
    const { database, reader, ages, store } = await start(t);
    await reader.query('BEGIN');
    await reader.query('SELECT count(*) FROM clicks');
    let waits = 0;
    await dropDayPartitions(database, 'clicks', 40, {
      async wait() {
        waits++;
        await store();
        t.same(await ages(), [40, 41, 42, 400]);
        if (waits === 3) await reader.query('COMMIT');
      },
    });
    t.equal(waits, 3);
    t.same(await ages(), [40]);
  },
);

t.test('a day that stays in use is left for the next round', async (t) => {
  const { database, reader, ages } = await start(t);
  await reader.query('BEGIN');
  await reader.query('SELECT count(*) FROM clicks');
  let waits = 0;
  const wait = async () => waits++;
  await t.rejects(dropDayPartitions(database, 'clicks', 40, { wait }), { name: 'DatabaseUnavailableError' });
  t.equal(waits, 7);
  await reader.query('COMMIT');
  t.same(await ages(), [40, 41, 42, 400]);
  await dropDayPartitions(database, 'clicks', 40, { wait });
  t.same(await ages(), [40]);
});

t.test('several processes can make and drop the same days at once', async (t) => {
  const { database, ages } = await start(t);
  const wait = async () => {};
  const make = {
    text: `SELECT ensure_day_partition('clicks', (now() AT TIME ZONE 'UTC')::date - age) FROM unnest($1::integer[]) AS age`,
    values: [[41, 42, 43, 44, 400]],
  };
  const reversed = { ...make, values: [make.values[0]?.toReversed()] };
  for (let round = 0; round < 20; round++) {
    await Promise.all([0, 1, 2].map(() => dropDayPartitions(database, 'clicks', 40, { wait })));
    t.same(await ages(), [40]);
    await Promise.all([make, reversed, make].map((days) => database.query(days)));
    t.same(await ages(), [40, 41, 42, 43, 44, 400]);
  }
});
