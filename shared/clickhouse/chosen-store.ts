import type { sharedSettings } from '../base/service-settings.js';
import { SettingError, type Settings } from '../base/settings.js';

type StoreSettings = Pick<Settings<typeof sharedSettings>, 'clickStore' | 'clickHouseUrl'>;

/**
 * Returns CLICKHOUSE_URL if clicks are stored in ClickHouse; null if they are in PostgreSQL. Throws `SettingError` if
 * ClickHouse is chosen and its URL is missing.
 */
export function chosenClickHouse({ clickStore, clickHouseUrl }: StoreSettings): string | null {
  if (clickStore === 'postgres') return null;
  if (clickHouseUrl === '') throw new SettingError('CLICKHOUSE_URL is missing: CLICK_STORE is clickhouse');
  return clickHouseUrl;
}
