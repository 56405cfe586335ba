import type { ClickHouseResult } from '../clickhouse.js';
import { requestTable } from './click-tables.js';

export function clickHouseTableOf(result: ClickHouseResult): string {
  const { clicks, answered_clicks, backlog, backlog_clicks, filled_seconds, clicks_mb, sums_seconds, sums_mb, requests } = result;
  const [postgres = 0, clickHouse = 0] = backlog.servers_cpu_us;
  const shipped = `${backlog_clicks} clicks of a spool stored at ${backlog.clicks_per_second.toFixed(0)}/s; CPU µs a click: shipper ${backlog.shipper_cpu_us.toFixed(2)}, PostgreSQL ${postgres.toFixed(2)}, ClickHouse ${clickHouse.toFixed(2)}`;
  const filled = `${clicks} clicks in the log (${clicks_mb} MB), filled in ${filled_seconds.toFixed(1)} s, days that are over added up in ${sums_seconds.toFixed(1)} s (${sums_mb} MB)`;
  const wrong = answered_clicks === clicks ? '' : `\nWRONG: the API counts ${answered_clicks} clicks`;
  return `${shipped}\n${filled}${wrong}\n${requestTable(requests, 'ClickHouse')}`;
}
