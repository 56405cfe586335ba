import t from 'tap';
import { clickHouseKills } from '../fault/clickhouse-kills.js';

// The short form of test/fault/clickhouse.test.ts.
t.test('each click is in ClickHouse once, whatever is killed meanwhile', (t) =>
  clickHouseKills(t, { seed: 20_261_124, clicks: 2_000, pauseMsMax: 500, connections: 4, restMs: 5 }),
);
