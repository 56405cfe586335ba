import t from 'tap';
import { connect } from '../../support/click-log.js';
import { createDatabase } from '../../support/database.js';
import { readTreeFile } from '../../support/source-tree.js';

const own = await createDatabase();
const admin = await connect(own.url);
t.teardown(async () => {
  await admin.end();
  await own.drop();
});
const name = new URL(own.url).pathname.slice(1);

/** The first day that each partition of the table holds, by its name. */
async function firstDays(table: string): Promise<Readonly<Record<string, string>>> {
  const { rows } = await admin.query<{ name: string; bound: string }>(
    `SELECT relname AS name, pg_get_expr(relpartbound, relation.oid) AS bound
     FROM pg_inherits JOIN pg_class AS relation ON relation.oid = inhrelid
     WHERE inhparent = $1::regclass AND relname ~ '_2030[0-9]{4}$' ORDER BY relname`,
    [table],
  );
  return Object.fromEntries(rows.map(({ name, bound }) => [name, /FROM \('([^']*)'\)/.exec(bound)?.[1] ?? bound]));
}

for (const zone of ['America/New_York', 'Pacific/Kiritimati'])
  t.test(`partitions hold the UTC day of their name if the server's time zone is ${zone}`, async (t) => {
    await admin.query(`ALTER DATABASE ${name} SET timezone = '${zone}'`);
    const client = await connect(own.url);
    t.teardown(() => client.end());
    t.strictSame((await client.query('SHOW timezone')).rows, [{ TimeZone: zone }]);
    const day = zone === 'America/New_York' ? '2030-03-05' : '2030-06-05';
    const suffix = day.replaceAll('-', '');
    await admin.query("SET timezone = 'UTC'");
    for (const table of ['click_figures', 'click_breakdowns', 'click_breakdown_changes', 'clicks', 'events']) {
      await client.query('SELECT ensure_day_partition($1, $2)', [table, day]);
      t.match((await firstDays(table))[`${table}_${suffix}`], new RegExp(`^${day}( 00:00:00\\+00)?$`), table);
    }
    t.strictSame((await client.query('SHOW timezone')).rows, [{ TimeZone: zone }], 'the session keeps its time zone');
  });

t.test('partitions that hold the day before their name are renamed, and later ones follow without a gap', async (t) => {
  await admin.query("SET timezone = 'UTC'");
  for (const [day, bound] of [
    ['20300111', '2030-01-10'],
    ['20300112', '2030-01-11'],
    ['20300113', '2030-01-12'],
  ] as const)
    await admin.query(
      `CREATE TABLE click_figures_${day} PARTITION OF click_figures FOR VALUES FROM ('${bound}') TO ('${day.slice(0, 4)}-01-${day.slice(6)}')`,
    );
  await admin.query(`INSERT INTO click_figures VALUES (1, '2030-01-12', 'total', '', '00000000-0000-0000-0000-000000000000', '', 7, 7, 7)`);
  await admin.query(readTreeFile('control-plane/migrations/0034_days_of_partitions.sql'));
  await admin.query("SELECT ensure_day_partition('click_figures', day) FROM unnest('{2030-01-12,2030-01-13}'::date[]) AS day");
  const found = await firstDays('click_figures');
  for (const day of ['2030-01-10', '2030-01-11', '2030-01-12', '2030-01-13'])
    t.equal(found[`click_figures_${day.replaceAll('-', '')}`], day);
  t.equal((await admin.query('SELECT 1 FROM click_figures_20300112')).rowCount, 1, 'rows stay in their partition');
});
