import { setTimeout as sleep } from 'node:timers/promises';
import { STATS_CALL_MS_MAX } from '../shared/base/stats-limits.js';
import { chosenClickHouse } from '../shared/clickhouse/chosen-store.js';
import { makeClickTables } from '../shared/clickhouse/click-table.js';
import { ClickHouse, type OnStatement } from '../shared/clickhouse/connection.js';
import type { ColumnThreads } from './click-figures/columns/column-threads.js';
import type { ClickStore } from './click-store/click-store.js';
import { clickHouseClicks } from './click-store/clickhouse/clickhouse-store.js';
import { postgresClicks, postgresClicksWith } from './click-store/postgres-store.js';
import { STATEMENT_TIMEOUT_MS } from './db/database.js';

export interface OpenClickStore {
  readonly clickStore: ClickStore;
  /** Null if clicks are stored in PostgreSQL. */
  readonly clickHouse: ClickHouse | null;
  /** Creates the store's tables if they are missing. */
  prepare(): Promise<void>;
  /** Does so in the background, and again until the store can be reached or is closed. */
  prepareSoon(onFailure: (error: unknown) => void): void;
  close(): Promise<void>;
}

/** A call has up to six statements running at once. This many connections leave room for other calls beside long ones. */
const STATISTICS_CONNECTIONS = 64;

const PREPARE_AGAIN_MS = 5_000;

export interface ClickStoreOptions {
  readonly application: string;
  /** How long a statement may take. */
  readonly timeoutMs?: number;
  /** As in `ClickHouseOptions`. */
  readonly firstAnswerMs?: number;
  readonly onStatement?: OnStatement | undefined;
  /** Threads for the statistics of a store in PostgreSQL. `close` stops them. */
  readonly threads?: ColumnThreads;
}

/** Opens the store that the settings choose. */
export function openClickStore(
  settings: Parameters<typeof chosenClickHouse>[0],
  { application, timeoutMs = STATEMENT_TIMEOUT_MS, firstAnswerMs, onStatement = () => {}, threads }: ClickStoreOptions,
): OpenClickStore {
  const url = chosenClickHouse(settings);
  if (url === null) {
    const clickStore = threads === undefined ? postgresClicks : postgresClicksWith(threads);
    return { clickStore, clickHouse: null, prepare: async () => {}, prepareSoon: () => {}, close: async () => threads?.stop() };
  }
  const clickHouse = new ClickHouse({ url, timeoutMs, firstAnswerMs, application, onStatement });
  const statistics = new ClickHouse({
    url,
    timeoutMs: STATS_CALL_MS_MAX,
    application,
    onStatement,
    connections: STATISTICS_CONNECTIONS,
  });
  const closing = new AbortController();
  const prepare = () => makeClickTables(clickHouse);
  return {
    clickStore: clickHouseClicks(clickHouse, { statistics }),
    clickHouse,
    prepare,
    prepareSoon: (onFailure) => void prepareUntil(closing.signal, prepare, onFailure),
    close: async () => {
      closing.abort();
      await Promise.all([clickHouse.close(), statistics.close()]);
    },
  };
}

async function prepareUntil(closed: AbortSignal, prepare: () => Promise<void>, onFailure: (error: unknown) => void): Promise<void> {
  while (!closed.aborted) {
    try {
      await prepare();
      return;
    } catch (error) {
      if (!closed.aborted) onFailure(error);
    }
    await sleep(PREPARE_AGAIN_MS, undefined, { signal: closed, ref: false }).catch(() => {});
  }
}
