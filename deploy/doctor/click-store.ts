import type { Finding } from '../../control-plane/cli/finding.js';
import { openClickStore } from '../../control-plane/open-click-store.js';
import { controlPlaneSettings } from '../../control-plane/settings.js';
import { failure, ok } from './findings.js';
import { settingOf } from './settings.js';

/** How long ClickHouse may take to reply. */
const TIMEOUT_MS = 5_000;

const CLICKHOUSE_URL = 'CLICKHOUSE_URL=https://<user>:<password>@<host>:8443/<database>';

/** Returns no findings if clicks are stored in PostgreSQL. */
export async function clickStoreFindings(environment: NodeJS.ProcessEnv): Promise<readonly Finding[]> {
  const clickStore = settingOf(controlPlaneSettings.clickStore, environment);
  const clickHouseUrl = settingOf(controlPlaneSettings.clickHouseUrl, environment);
  if (clickStore === 'postgres') return [];
  if (clickHouseUrl === '') return [failure('clickhouse', 'CLICK_STORE is clickhouse, but no server is set.', CLICKHOUSE_URL)];
  const store = openClickStore({ clickStore, clickHouseUrl }, { application: 'linkd-doctor', timeoutMs: TIMEOUT_MS });
  try {
    return (await store.clickStore.health()).map(({ ok: isWell, reason }) =>
      isWell
        ? ok('clickhouse', 'ClickHouse replies, and its table of clicks has every column.')
        : failure('clickhouse', `${reason}.`, `systemctl start clickhouse-server, then linkd migrate for its table; or ${CLICKHOUSE_URL}`),
    );
  } finally {
    await store.close();
  }
}
