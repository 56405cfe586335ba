import t from 'tap';
import { LocalQuarters, QUARTER_SECONDS } from '../../../control-plane/local-days/quarters.js';
import { connect } from '../../support/click-log.js';
import { createDatabase } from '../../support/database.js';

const own = await createDatabase();
const client = await connect(own.url);
t.teardown(async () => {
  await client.end();
  await own.drop();
});
let statements = 0;
const database = {
  query: async (statement: { text: string; values: readonly unknown[] }) => {
    statements++;
    return client.query({ text: statement.text, values: [...statement.values] }) as never;
  },
};

const quarterOf = (instant: string) => Date.parse(instant) / 1000 / QUARTER_SECONDS;

t.test('a quarter of an hour has the day and the hour that clocks of the zone show, also where they differ by quarters', async (t) => {
  const quarters = new LocalQuarters();
  const span = { from: new Date('2026-11-01T00:00:00Z'), to: new Date('2026-11-02T00:00:00Z') };
  await quarters.fetch(database, new Set(['Asia/Kathmandu', 'America/New_York']), span);
  const found = (zone: string, instant: string) => quarters.of(zone).get(quarterOf(instant));
  t.same(found('Asia/Kathmandu', '2026-11-01T18:00:00Z'), { day: '2026-11-01', hour: quarterOf('2026-11-01T17:15:00Z') });
  t.same(found('Asia/Kathmandu', '2026-11-01T18:15:00Z'), { day: '2026-11-02', hour: quarterOf('2026-11-01T18:15:00Z') });
  t.same(found('America/New_York', '2026-11-01T03:45:00Z'), { day: '2026-10-31', hour: quarterOf('2026-11-01T03:00:00Z') });
  t.same(found('America/New_York', '2026-11-01T06:30:00Z'), { day: '2026-11-01', hour: quarterOf('2026-11-01T06:00:00Z') });
});

t.test('quarters are fetched once for each day and zone', async (t) => {
  const quarters = new LocalQuarters();
  const span = { from: new Date('2026-11-01T00:00:00Z'), to: new Date('2026-11-02T00:00:00Z') };
  statements = 0;
  for (const zones of [['UTC'], ['UTC'], ['UTC', 'Europe/Berlin']]) await quarters.fetch(database, new Set(zones), span);
  t.equal(statements, 2);
  t.equal(quarters.of('UTC').size, 96);
  t.equal(quarters.of('Asia/Tokyo').size, 0);
});
