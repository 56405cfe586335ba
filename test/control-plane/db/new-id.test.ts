import t from 'tap';
import { idTimeMs, isId } from '../../../shared/base/ids.js';
import { openDatabase } from '../../support/open-database.js';

const { client } = await openDatabase(t);

t.test('ids that PostgreSQL makes are of the milliseconds in which their time is, like those of the service', async (t) => {
  const { rows } = await client.query<{ id: string; ms: string }>(
    `SELECT new_id('whd_', at) AS id, floor(extract(epoch FROM at) * 1000)::text AS ms FROM (
       SELECT timestamptz '1970-01-01' + n * interval '1 millisecond' AS at FROM generate_series(0, 9) AS n
       UNION ALL SELECT timestamptz '2026-12-01' + n * interval '1 microsecond' FROM generate_series(0, 20000) AS n
       UNION ALL SELECT timestamptz '2026-12-01' + n * interval '86399999.001 milliseconds' FROM generate_series(0, 25000) AS n) AS times`,
  );
  t.ok(rows.every(({ id }) => isId('delivery', id)));
  t.same(
    rows.filter(({ id, ms }) => idTimeMs('delivery', id) !== Number(ms)),
    [],
  );
});

t.test('no two are alike, and each digit of their random part is as likely as the others', async (t) => {
  const IDS = 20_000;
  const { rows } = await client.query<{ id: string }>(`SELECT new_id('whd_', now()) AS id FROM generate_series(1, ${IDS})`);
  t.equal(new Set(rows.map(({ id }) => id)).size, IDS);
  for (let place = 14; place < 30; place++) {
    const counts = new Map<string, number>();
    for (const { id } of rows) counts.set(id[place] as string, (counts.get(id[place] as string) ?? 0) + 1);
    t.equal(counts.size, 32, `place ${place}`);
    // 625 on average, with a standard deviation of 25.
    t.ok(
      [...counts.values()].every((count) => count > 425 && count < 825),
      JSON.stringify([...counts]),
    );
  }
});
