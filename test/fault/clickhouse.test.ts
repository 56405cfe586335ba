import t from 'tap';
import { clickHouseKills } from './clickhouse-kills.js';

t.test('each of a million clicks is in ClickHouse once, whatever is killed meanwhile', (t) =>
  clickHouseKills(t, {
    seed: Number(process.env.FAULT_SEED ?? Date.now() % 1_000_000),
    clicks: 1_000_000,
    pauseMsMax: 2_000,
    connections: 32,
    restMs: 0,
  }),
);
