import { STATS_CALL_MS_MAX } from '../../shared/base/stats-limits.js';
import { chosenClickHouse } from '../../shared/clickhouse/chosen-store.js';
import { makeClickTables } from '../../shared/clickhouse/click-table.js';
import { ClickHouse, type OnStatement } from '../../shared/clickhouse/connection.js';
import type { ClickStore } from './click-store.js';
import { clickHouseClicks } from './clickhouse-store.js';
import { postgresClicks } from './postgres-store.js';

export interface OpenClickStore {
  readonly clickStore: ClickStore;
  /** Null where clicks are in PostgreSQL. */
  readonly clickHouse: ClickHouse | null;
  /** Makes what the store keeps clicks in, where it is missing. */
  prepare(): Promise<void>;
  close(): Promise<void>;
}

/** A call has up to six statements under way: those that are long leave room for others. */
const STATISTICS_CONNECTIONS = 64;

/** The store that the settings choose. `timeoutMs` is what a statement may take. */
export function openClickStore(
  settings: Parameters<typeof chosenClickHouse>[0],
  application: string,
  timeoutMs: number,
  onStatement: OnStatement = () => {},
): OpenClickStore {
  const url = chosenClickHouse(settings);
  if (url === null) return { clickStore: postgresClicks, clickHouse: null, prepare: async () => {}, close: async () => {} };
  const clickHouse = new ClickHouse({ url, timeoutMs, application, onStatement });
  const statistics = new ClickHouse({
    url,
    timeoutMs: STATS_CALL_MS_MAX,
    application,
    onStatement,
    connections: STATISTICS_CONNECTIONS,
  });
  return {
    clickStore: clickHouseClicks(clickHouse, { statistics }),
    clickHouse,
    prepare: () => makeClickTables(clickHouse),
    close: async () => {
      await Promise.all([clickHouse.close(), statistics.close()]);
    },
  };
}
