import type { sharedSettings } from '../base/service-settings.js';
import { SettingError, type Settings } from '../base/settings.js';

type StoreSettings = Pick<Settings<typeof sharedSettings>, 'clickStore' | 'clickHouseUrl'>;

/** CLICKHOUSE_URL where clicks go there; null where they are in PostgreSQL. Throws `SettingError` if the one is set without the other. */
export function chosenClickHouse({ clickStore, clickHouseUrl }: StoreSettings): string | null {
  if (clickStore === 'postgres') return null;
  if (clickHouseUrl === '') throw new SettingError('CLICKHOUSE_URL is missing: CLICK_STORE is clickhouse');
  return clickHouseUrl;
}
