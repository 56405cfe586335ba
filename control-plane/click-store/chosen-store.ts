import { chosenClickHouse } from '../../shared/clickhouse/chosen-store.js';
import { ClickHouse } from '../../shared/clickhouse/connection.js';
import type { ClickStore } from './click-store.js';
import { clickHouseClicks } from './clickhouse-store.js';
import { postgresClicks } from './postgres-store.js';

export interface OpenClickStore {
  readonly clickStore: ClickStore;
  /** Null where clicks are in PostgreSQL. */
  readonly clickHouse: ClickHouse | null;
  close(): Promise<void>;
}

/** The store that the settings choose. `timeoutMs` is what a statement may take. */
export function openClickStore(settings: Parameters<typeof chosenClickHouse>[0], application: string, timeoutMs: number): OpenClickStore {
  const url = chosenClickHouse(settings);
  if (url === null) return { clickStore: postgresClicks, clickHouse: null, close: async () => {} };
  const clickHouse = new ClickHouse({ url, timeoutMs, application });
  return { clickStore: clickHouseClicks(clickHouse), clickHouse, close: () => clickHouse.close() };
}
