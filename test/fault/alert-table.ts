import * as faults from './alert-faults.js';
import type { Fault } from './alert-scenarios.js';

/** The faults that provoke each alert. Those of one line are provoked together. */
export const TOGETHER: readonly (readonly Fault[])[] = [
  [faults.WEBHOOKS_FAIL, faults.CERTIFICATE_EXPIRES, faults.CERTIFICATE_IS_BROKEN, faults.PROCESS_ENDS_AGAIN],
  [faults.WEBHOOKS_ARE_LATE, faults.PROCESS_IS_LATE],
  [faults.METADATA_API_FAILS, faults.CLICK_IS_REFUSED],
  [faults.ENDPOINT_FAILS_FOR_DAYS, faults.SECRET_DOES_NOT_OPEN],
  [faults.FEED_IS_LOCKED, faults.CLICKS_ARE_NOT_COUNTED],
  [faults.TABLE_IS_LOCKED],
  [faults.CONNECTIONS_RUN_OUT],
  [faults.PROCESS_HANGS, faults.CONTROL_PLANE_ENDS],
  [faults.MIGRATION_IS_MISSING],
  [faults.ENGINE_ENDS],
  [faults.ENGINE_IS_CUT_OFF],
  [faults.POSTGRES_STOPS],
  [faults.DISK_IS_FULL],
];

/** Faults of an installation whose clicks are in ClickHouse. */
export const WITH_CLICKHOUSE: readonly Fault[] = [faults.CLICKHOUSE_IS_AWAY];

/** Alerts that only `promtool test rules` covers, each with the reason. */
export const ONLY_BY_PROMTOOL: Readonly<Record<string, string>> = {
  ClickSpoolGrows: 'half a gigabyte of clicks takes longer to make than all of the others together',
  StoreDamaged: 'pages of the store have to be damaged under a process that reads them; test/engine/store does that in one process',
  WebhookThreadsFail: 'a thread that delivers is ended by nothing from outside its process; test/engine/webhooks ends them inside one',
  PostgresLongTransaction: 'it has to be open for an hour',
  PostgresStandbyLags: 'it needs a standby that is a minute behind',
  PostgresStandbyGone: 'it needs a standby that has followed, and ten minutes without it',
  PostgresArchiveFails: 'the server has to be started with an archive; test/control-plane/health/database-metrics.test.ts does that',
  PreviewAnswersDropped: 'ten thousand answers have to wait for PostgreSQL; test/engine/preview fills the queue with less',
  BackupOld: 'it needs node_exporter, and a day; test/deploy/systemd.test.ts runs what writes its figure',
  BackupWeeklyMissed: 'it needs node_exporter, and a week',
  ClickHouseDiskFills: 'it needs a disk of ClickHouse that is full; test/control-plane/health/clickhouse-metrics.test.ts reads one',
  ClickHousePartsGrow: 'it needs more insertions than ClickHouse can merge',
};
